// testlib's ncmp stands here in a package from Polygon; Tally has it built in.
