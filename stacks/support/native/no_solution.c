// A solution of headers alone has nothing to link; the tests need its library all the same.
