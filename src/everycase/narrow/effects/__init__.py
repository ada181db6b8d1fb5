"""Whether code is free of side effects, decided from its source before it is run out of order (``reader``): what is
known of the standard library (``known``), which objects are new (``new_objects``), what calls pass on (``calls``)."""
