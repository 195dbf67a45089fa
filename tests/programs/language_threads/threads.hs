-- Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to.
import Control.Concurrent
import Control.Monad
import Data.IORef

work :: Int -> Int
work seed = go (2000 :: Int) seed
  where
    go 0 x = x
    go i x = go (i - 1) ((x * 1103515245 + 12345) `mod` 2147483648)

main :: IO ()
main = do
  queue <- newChan
  state <- newMVar (0, "")
  done <- forM "abcd" $ \me -> do
    ended <- newEmptyMVar
    let take' = do
          n <- readChan queue
          unless (n < 0) $ do
            let made = work n
            made `seq` modifyMVar_ state (\(total, order) -> let t = total + made in t `seq` return (t, me : order))
            take'
    _ <- forkIO (take' >> putMVar ended ())
    return ended
  forM_ [0 .. 99] (writeChan queue)
  replicateM_ 4 (writeChan queue (-1))
  mapM_ takeMVar done
  (total, order) <- readMVar state
  putStrLn (show total ++ " " ++ show (length order) ++ " " ++ reverse order)
