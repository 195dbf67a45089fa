<?php
$a = array_map('intval', preg_split('/\s+/', trim(stream_get_contents(STDIN))));
$n = array_shift($a);
$seen = array_flip($a);
sort($a);
$sum = 0;
foreach ($a as $i => $x) $sum += $x * ($i % 7);
echo "$sum ", count($seen), " ", $a[intdiv($n, 2)], "\n";
