"""What is noted of each test while a run goes on: the lines for other tools, and the counts behind the pages."""
