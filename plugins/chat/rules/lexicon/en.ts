import type { Lexicon } from './lexicon.ts'
import { blockNouns, fieldNouns, rowNouns } from './en/nouns.ts'
import { phrases } from './en/phrases.ts'
import { courtesies } from './en/courtesies.ts'
import { questions } from './en/questions.ts'
import { rules } from './en/rules.ts'
import { slots } from './en/slots.ts'
import { typos } from './en/typos.ts'
import { words } from './en/words.ts'

/** English. */
export const english: Lexicon = {
  language: 'en',
  typos,
  words,
  ordinals: {
    first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10,
    '1st': 1, '2nd': 2, '3rd': 3, '4th': 4, '5th': 5, '6th': 6, '7th': 7, '8th': 8, '9th': 9, '10th': 10,
    last: -1, final: -1, top: 1, bottom: -1,
  },
  numbers: { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  vague: {
    words: [
      'be', 'sound', 'feel', 'look', 'seem', 'match', 'reflect', 'include', 'mention', 'emphasize', 'highlight', 'focus', 'use', 'have',
      'become', 'fit', 'something', 'anything', 'whatever', 'what', 'which', 'one', 'more', 'less', 'better', 'shorter', 'longer',
      'simpler', 'bolder', 'catchier', 'friendlier', 'punchier', 'warmer', 'clearer', 'nicer', 'another', 'how', 'why', 'that', 'same',
      'show', 'say', 'tell', 'describe', 'explain', 'express', 'convey', 'promote', 'announce', 'advertise', 'introduce', 'refer', 'reference', 'invite',
      'nothing', 'empty', 'blank', 'none', 'bold', 'italic', 'italics', 'underlined', 'bigger', 'larger', 'smaller', 'hidden', 'visible',
      'invisible', 'centered', 'centred', 'too', 'is', 'are', 'looks', 'needs', 'should', 'very', 'please', 'not', 'was',
    ],
    afterArticle: [
      'new', 'different', 'similar', 'bit', 'little', 'old', 'usual', 'previous', 'original', 'other', 'former', 'standard', 'default', 'following', 'right', 'wrong',
    ],
    afterNumber: ['line', 'lines', 'word', 'words', 'sentence', 'sentences', 'row', 'rows', 'letters', 'characters', 'paragraphs'],
    whole: ['left aligned', 'right aligned', 'center aligned', 'centre aligned', 'in the middle', 'on one line', 'on two lines', 'in bold', 'in italics'],
    articles: ['a', 'an', 'the'],
  },
  languageNames: [
    'english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'japanese', 'korean', 'chinese', 'polish', 'danish',
    'swedish', 'norwegian', 'finnish', 'russian', 'turkish', 'arabic', 'greek', 'czech',
  ],
  colors: [
    'black', 'white', 'red', 'green', 'blue', 'yellow', 'orange', 'purple', 'pink', 'brown', 'gray', 'grey', 'navy', 'teal', 'maroon',
    'olive', 'lime', 'aqua', 'silver', 'fuchsia', 'cyan', 'magenta', 'gold', 'beige', 'ivory', 'coral', 'indigo', 'violet', 'turquoise',
    'transparent',
  ],
  switches: { on: 'true', yes: 'true', true: 'true', off: 'false', no: 'false', false: 'false' },
  blockNouns,
  rowNouns,
  fieldNouns,
  slots: {
    ...slots,
    Metas: { list: ['one:$Meta [@join] more:$Metas', 'one:$Meta'] },
    Meta: {
      title: ['[with] @det* [@metaTitle | title] v:$Quoted', '[with] @det* (@metaTitle | title) (of | as | to | : | =) v:$Quoted'],
      description: ['[with] @det* (@metaDescription | description) [of | as | to | : | =] v:$Quoted'],
      ogImage: ['[with] @det* (@metaImage | image) [of | as | to | : | =] v:$Literal'],
    },
  },
  rules,
  questions,
  planFirst: [
    '(show [me] | give me | make | draft | propose | prepare) (a | the | your) plan [first] (: | , | to | for | . | and then | before you do anything :)',
    '[please] plan (it | this) first (: | , | .)', 'plan first (: | , | .)', '(show [me] | give me) a preview [first] (: | ,)',
    'before (applying | changing | doing) [anything | it | this] [,] (show [me] | make | draft | propose) (a | the | your) plan (: | , | to | .)',
    '(just | only) [show me | make] (a | the) plan (: | , | .)', 'plan (only | it) (: | ,)',
  ],
  planLast: [
    '@besides [first] (show [me] | give me | let me see | make | draft | propose | prepare) (a | the | your) plan (first | @beforehand [anything | it | this | that])',
    '@besides first (show [me] | give me | let me see | make | draft | propose | prepare) (a | the | your) plan', '@besides [first] plan (it | this | that) first', '@besides first plan (it | this | that)',
    '@besides @beforehand [anything | it | this | that] [,] (show [me] | let me see | make | draft | propose) (a | the | your) plan [first]',
  ],
  openings: [
    '@some [@little] (thing | things | @task) [please | for you | here] (: | , | . | @dash)', '[a | one | another] @little @task [please | for you] (: | , | @dash)',
    '(we | i) [now | finally | just] (have | got | have got | made | found | took) @det* [@fresh | better] @ownThing [now] @pause',
    "(i've | we've | i have | we have | you have) [just | now] @gotten @det* [@fresh | better] @ownThing [now] @pause",
    '(there is | here is | this is | here comes) @det* [@fresh | better] @ownThing @pause',
    '(make | do | apply) [the | these | this | some] [following] [@task] [on this page | to this page | here | for me] [please] (: | .)',
    '(first | firstly | to start | to begin) ,',
    '@praise [so far | job | work] (, | ! | . | ; | @dash)', '(first | second | next) (thing | @task | things first) (: | , | @dash)',
    'for (the start | a start | starters | now) [, | :]', '(todo [list] | to do) (: | @dash)',
  ],
  confirmations: [
    'yes', 'go ahead', 'approve', 'do it', 'apply it', 'confirm', 'yes do it', 'yes go ahead', 'apply', 'apply the plan', 'approved', 'ok', 'okay',
    'yep', 'sure', 'looks good', 'go for it', 'yes please', 'confirmed', 'apply this plan', 'make it so', 'approve it', 'approve the plan', 'yes apply it',
  ],
  refusals: [
    'no', 'cancel', 'stop', 'never mind', 'nevermind', 'discard', 'cancel it', 'discard it', 'discard the plan', 'no thanks', 'no thank you', 'nope',
    'forget it', 'cancel that', 'no cancel', "don't do it", 'do not do it', 'leave it', "don't", 'reject', 'reject it',
  ],
  courtesies,
  joints: { value: 'to', name: 'called', scope: 'from', place: '' },
  ways: { rise: { edge: 'to the top', step: 'up one place' }, sink: { edge: 'to the bottom', step: 'down one place' } },
  phrases,
}
