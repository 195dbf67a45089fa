define(`count', `ifelse($1, 0, , `count(decr($1))eval($1 * $1 % 13) ')')dnl
define(`reverse', `ifelse($#, 0, , $#, 1, ``$1'', `reverse(shift($@)), `$1'')')dnl
count(150)
reverse(a, b, c, d, e, f, g, h)
