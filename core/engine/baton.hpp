// Several threads that do the coordinator's work, one at a time: whoever holds the baton works, and lends
// it to the others while a worker process answers. Everything but waiting stays as if there were one
// thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

namespace benchctl {

class Baton {
 public:
  /// `now`: seconds since some fixed moment; asked by several threads at once.
  explicit Baton(std::function<double()> now) : now_(std::move(now)) {}

  /// From here on the calling thread holds it.
  void take() {
    const double start = now_();
    holding_.lock();
    waited_seconds() += now_() - start;
  }
  void give() { holding_.unlock(); }
  /// Waits until no worker is at work for another thread. None begins before the caller lends or gives the
  /// baton: what the caller computes until then disturbs no measurement.
  void quiet() {
    const double start = now_();
    std::unique_lock lock(counting_);
    changed_.wait(lock, [this] { return lent_ == 0; });
    waited_seconds() += now_() - start;
  }
  /// `work` waits for a worker; others have the baton meanwhile.
  template <class Work>
  auto lend(const Work& work) {
    const Loan loan(*this);
    return work();
  }
  /// Seconds for which the calling thread waited for the others: nothing that it measures is to be charged
  /// for these.
  [[nodiscard]] static double& waited_seconds() {
    static thread_local double seconds = 0;
    return seconds;
  }

 private:
  class Loan {
   public:
    explicit Loan(Baton& baton) : baton_(baton) {
      baton_.count(1);
      baton_.give();
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      baton_.count(-1);
      baton_.take();
    }

   private:
    Baton& baton_;
  };

  void count(int change) {
    const std::scoped_lock lock(counting_);
    lent_ += change;
    changed_.notify_all();
  }

  std::function<double()> now_;
  std::mutex holding_;
  std::mutex counting_;
  std::condition_variable changed_;
  int lent_ = 0;  ///< workers at work
};

}  // namespace benchctl
