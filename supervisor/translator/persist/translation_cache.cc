#include "supervisor/translator/persist/translation_cache.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "supervisor/translator/guest/translated_run.h"

namespace tally {
namespace {

template <typename Value>
std::span<const std::uint8_t> BytesOf(const Value& value) {
  return {reinterpret_cast<const std::uint8_t*>(&value), sizeof value};
}

// The linker's sum over this executable (ld(1), --build-id); empty without one.
std::span<const std::uint8_t> BuildId() {
  std::span<const std::uint8_t> found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE) continue;
          const auto* at = reinterpret_cast<const std::uint8_t*>(info->dlpi_addr + segment.p_vaddr);
          const std::uint8_t* const end = at + segment.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const auto padded = [](std::size_t size) { return (size + 3) & ~std::size_t{3}; };
            const std::uint8_t* const text = at + sizeof note + padded(note.n_namesz);
            if (note.n_type == NT_GNU_BUILD_ID && text + note.n_descsz <= end) {
              *static_cast<std::span<const std::uint8_t>*>(out) = {text, note.n_descsz};
              return 1;
            }
            at = text + padded(note.n_descsz);
          }
        }
        return 1;  // the first is the executable
      },
      &found);
  return found;
}

}  // namespace

ObjectKey TranslationKey(const TranslatedRun& run) {
  static const ObjectKey build = HashOf(BuildId());
  const bool has_cpu = run.machine.Has(VirtualRule::kCpu);
  const TranslationOptions& o = run.options;
  const std::uint64_t words[] = {o.eager,
                                 static_cast<std::uint64_t>(o.most_pending),
                                 static_cast<std::uint64_t>(o.variants),
                                 static_cast<std::uint64_t>(o.unrolled),
                                 static_cast<std::uint64_t>(o.way_back),
                                 static_cast<std::uint64_t>(o.turn_margin),
                                 o.region_bytes,
                                 static_cast<std::uint64_t>(o.by_eip),
                                 o.bmi2 ? 1U : 0U,
                                 run.most_tasks == 1 ? 0U : run.may_take_turns ? 2U : 1U,
                                 run.takes_turns ? 1U : 0U,
                                 has_cpu ? 1U : 0U,
                                 run.machine.Has(VirtualRule::kTime) ? 1U : 0U,
                                 run.machine.Has(VirtualRule::kSystem) ? 1U : 0U,
                                 has_cpu ? static_cast<std::uint64_t>(run.machine.options().model) : 0U};
  return HashOf(BytesOf(words), build);
}

TranslationCache::TranslationCache(const Parts& parts, const TranslatedRun& run)
    : parts_(parts),
      run_(run),
      key_(TranslationKey(run)),
      loaded_(parts.cache, parts.blocks, parts.linker) {
  parts_.blocks->SetAdopter([this](Block* block) { loaded_.Adopt(block); });
  parts_.linker->SetJournal(&journal_);
}

// Some of the bytes, so that other programs at the same address have other names. They may still have the
// same.
std::optional<ObjectKey> TranslationCache::KeyOf(GuestPc begin, GuestPc end) const {
  constexpr std::size_t kFirst = 4, kSpread = 4;
  const std::size_t n = (end - begin) / GuestCode::kPage;
  std::vector<GuestPc> pages;
  for (std::size_t i = 0; i < std::min(n, kFirst); ++i) pages.push_back(begin + i * GuestCode::kPage);
  for (std::size_t i = 1; n > kFirst && i <= kSpread; ++i) {
    const GuestPc page = begin + (kFirst - 1 + i * (n - kFirst) / kSpread) * GuestCode::kPage;
    if (page > pages.back()) pages.push_back(page);
  }
  std::vector<std::uint8_t> bytes(pages.size() * GuestCode::kPage);
  if (!parts_.code->ReadPages(pages, bytes.data())) return std::nullopt;
  const std::uint64_t place[] = {begin, end, parts_.cache->Near(begin)->base};
  return HashOf(bytes, HashOf(BytesOf(place), key_));
}

bool TranslationCache::TakeMapping(GuestPc begin, GuestPc end) {
  std::erase_if(taken_, [&](const Taken& taken) { return taken.begin == begin; });
  CodeCache::Region* const region = parts_.cache->Near(begin);
  if (forgotten_ || region == nullptr || region != parts_.cache->Near(end - 1)) return false;
  const std::optional<ObjectKey> key = parts_.code->IsFixedRegion(begin, end) ? KeyOf(begin, end) : std::nullopt;
  taken_.push_back({begin, end, key});
  if (!key) return false;
  std::optional<Mapping> file = run_.store.Read(key->Text());
  if (!file) return false;
  const auto object = CodeObject::Parse({static_cast<const std::uint8_t*>(file->data()), file->size()}, *key);
  if (!object || object->place.begin != begin || object->place.end != end || object->place.region != region->base)
    return false;
  if (!LoadedCode::Matches(*object, *parts_.code)) return false;
  const LoadedCode::Piece* const piece = loaded_.Load(std::move(*file), *object, region);
  if (piece == nullptr) return false;
  HangIn(*piece);
  return true;
}

void TranslationCache::HangIn(const LoadedCode::Piece& piece) {
  for (const object::Trap& trap : piece.object.traps) {
    if (trap.used != 0) parts_.inline_caches->Adopt(piece.At(trap.at), trap.used);
  }
  parts_.branch_targets->Expect(piece.object.branch_targets.size());
  for (const object::BranchTarget& l : piece.object.branch_targets) {
    parts_.branch_targets->Adopt(
        {l.pc, piece.At(l.at), piece.At(l.otherwise), 0, static_cast<Table>(l.table), l.careful != 0});
  }
  loaded_.AdoptKnown(piece);
}

void TranslationCache::Forget() {
  forgotten_ = true;
  parts_.linker->SetJournal(nullptr);
  loaded_.Clear();
  taken_.clear();
}

std::vector<std::pair<GuestPc, GuestPc>> TranslationCache::Mappings() const {
  std::vector<std::pair<GuestPc, GuestPc>> out;
  for (const Taken& taken : taken_) {
    if (!parts_.code->IsExecutable(taken.begin)) continue;
    out.emplace_back(taken.begin, parts_.code->EndOfFixed(taken.begin).value_or(taken.end));
  }
  return out;
}

void TranslationCache::BeginAnew() {
  forgotten_ = false;
  key_ = TranslationKey(run_);
  journal_ = Journal();
  parts_.linker->SetJournal(&journal_);
}

void TranslationCache::Keep() {
  std::erase_if(taken_, [&](const Taken& taken) { return !taken.key || !parts_.code->IsFixedRegion(taken.begin, taken.end); });
  const ObjectMaker::Sources sources{journal_,      *parts_.fragments,  *parts_.branch_targets, *parts_.inline_caches,
                                     *parts_.traps, *parts_.blocks, *parts_.code,     parts_.cache};
  for (const Taken& taken : taken_) {
    const LoadedCode::Piece* const loaded = loaded_.Of(taken.begin);
    if (!ObjectMaker::MayBeWorthwhile(journal_, taken.begin, taken.end, loaded)) continue;
    ObjectMaker maker(sources, taken.begin, taken.end, loaded);
    if (const auto file = maker.Make(*taken.key)) run_.store.Write(taken.key->Text(), *file);
  }
  taken_.clear();
}

}  // namespace tally
