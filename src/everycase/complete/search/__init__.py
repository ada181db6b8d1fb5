"""Looking for missing values in small worlds, by running the translation or the generator itself."""
