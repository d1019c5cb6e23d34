// The classic Notebook asks for this file. It has nothing to add.
