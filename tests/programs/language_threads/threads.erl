#!/usr/bin/escript
%%! +S 2:2
%% Four processes ask for numbers and send what they make of them, in the order in which they happen to.
-mode(compile).

work(X, 0) -> X;
work(X, I) -> work((X * 1103515245 + 12345) rem 2147483648, I - 1).

take(Main, Me) ->
    Main ! {next, self()},
    receive
        stop -> Main ! done;
        N ->
            Main ! {made, Me, work(N, 2000)},
            take(Main, Me)
    end.

serve(_, _, 0, Total, Order) -> {Total, lists:reverse(Order)};
serve(N, Most, Left, Total, Order) ->
    receive
        {next, From} when N < Most -> From ! N, serve(N + 1, Most, Left, Total, Order);
        {next, From} -> From ! stop, serve(N, Most, Left, Total, Order);
        {made, Me, Made} -> serve(N, Most, Left, Total + Made, [Me | Order]);
        done -> serve(N, Most, Left - 1, Total, Order)
    end.

main(_) ->
    Main = self(),
    [spawn(fun() -> take(Main, Me) end) || Me <- "abcd"],
    {Total, Order} = serve(0, 100, 4, 0, []),
    io:format("~w ~w ~s~n", [Total, length(Order), Order]).
