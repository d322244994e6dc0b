import { courtesies } from './en-courtesies.ts'
import { blockNouns, fieldNouns, rowNouns } from './en-nouns.ts'
import { phrases } from './en-phrases.ts'
import { questions } from './en-questions.ts'
import { typos } from './en-typos.ts'
import { duties, verbs } from './en-verbs.ts'
import { words } from './en-words.ts'
import type { Language } from './language.ts'

export const english: Language = {
  code: 'en', typos, verbs, duties, words, courtesies, blockNouns, rowNouns, fieldNouns, phrases, questions,
  verbLast: false,
  requestVerbs: [
    'set', 'change', 'update', 'edit', 'modify', 'add', 'insert', 'create', 'remove', 'delete', 'move', 'rename', 'duplicate', 'copy', 'replace', 'swap', 'clear',
    'rewrite', 'reword', 'rephrase', 'retitle', 'relabel', 'adjust', 'revise', 'rework', 'drop', 'erase', 'link', 'point',
  ],
  ordinals: {
    first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10,
    '1st': 1, '2nd': 2, '3rd': 3, '4th': 4, '5th': 5, '6th': 6, '7th': 7, '8th': 8, '9th': 9, '10th': 10, last: -1, final: -1, top: 1, bottom: -1,
  },
  numbers: { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  options: { on: 'true', yes: 'true', true: 'true', off: 'false', no: 'false', false: 'false' },
  colors: Object.fromEntries([
    'black', 'white', 'red', 'green', 'blue', 'yellow', 'orange', 'purple', 'pink', 'brown', 'gray', 'grey', 'navy', 'teal', 'maroon', 'olive', 'lime',
    'aqua', 'silver', 'fuchsia', 'cyan', 'magenta', 'gold', 'beige', 'ivory', 'coral', 'indigo', 'violet', 'turquoise', 'transparent',
  ].map((color) => [color, color])),
  languageNames: [
    'english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'japanese', 'korean', 'chinese', 'polish', 'danish', 'swedish',
    'norwegian', 'finnish', 'russian', 'turkish', 'arabic', 'greek', 'czech',
  ],
  joints: { value: 'to', name: 'called', scope: 'from', place: '' },
  ways: { rise: { edge: 'to the top', step: 'up one place' }, sink: { edge: 'to the bottom', step: 'down one place' } },
}
