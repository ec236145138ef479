/** What the pages can do beyond reading: search, copy, and knowing where the reader is. Without it they still read. */
import { addCopyButtons } from './copy.mjs';
import {
  followHeadings,
  openWhatDoesNotFold,
  showCurrentPage,
  tabToScrollersOnly,
} from './reading.mjs';
import { openSearch } from './search.mjs';

openSearch(document.querySelector('.search'), document.body.dataset.search);
addCopyButtons();
openWhatDoesNotFold();
showCurrentPage();
followHeadings();
tabToScrollersOnly();
