-- What 0059 indexes is an expression, of which there are no statistics until the table is analyzed. Holds up no reader and no writer.
ANALYZE orders;
