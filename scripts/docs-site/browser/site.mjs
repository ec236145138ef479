/**
 * Search, copy buttons, and the current place in the navigation. The pages work without this
 * script.
 */
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
