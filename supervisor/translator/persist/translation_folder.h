// The folder in which translations wait for the next run (code_object.h), one file for each mapping of code:
//   TALLY_TRANSLATION_CACHE=off            none
//   TALLY_TRANSLATION_CACHE=FOLDER         that one
//   else where Tally keeps what it could make again (base/cache_folder.h): translations
#pragma once

#include <string>

namespace tally {

// Where the environment says; "" for none. UserError where it says what cannot be.
std::string TranslationFolder();

}  // namespace tally
