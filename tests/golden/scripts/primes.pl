my (@sieve, $sum);
for my $i (2 .. 20000) {
  next if $sieve[$i];
  $sum += $i;
  for (my $j = $i * $i; $j <= 20000; $j += $i) { $sieve[$j] = 1 }
}
print "$sum\n";
my %words;
$words{$_ % 97 . "x"} .= $_ for 1 .. 3000;
print join(",", map { length $words{$_} } sort keys %words), "\n";
eval { die { code => 7 } };
print "$@->{code}\n" if ref $@;
