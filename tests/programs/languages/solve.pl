my ($n, @a) = split ' ', join('', <STDIN>);
my %seen = map { $_ => 1 } @a;
@a = sort { $a <=> $b } @a;
my $sum = 0;
$sum += $a[$_] * ($_ % 7) for 0 .. $n - 1;
print "$sum ", scalar(keys %seen), " $a[$n / 2]\n";
