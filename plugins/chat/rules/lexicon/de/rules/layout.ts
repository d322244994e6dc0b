import type { Rule } from '../../lexicon.ts'
import { command, request } from '../verbs.ts'

const sides: readonly (readonly [detail: string, what: string, side: string])[] = [
  ['left', '@image', '@left'], ['right', '@image', '@right'], ['full', '@image', '@full'], ['right', '@copyText', '@left'], ['left', '@copyText', '@right'],
]

/** What says without a verb that a picture goes there: a side alone may be where it is. */
const ways: Readonly<Record<string, readonly string[]>> = {
  '@left': ['nach links', 'auf die linke seite'], '@right': ['nach rechts', 'auf die rechte seite'],
}

const sideRules: readonly Rule[] = sides.map(([detail, what, side]) => ({
  action: 'imageSide',
  detail,
  forms: [
    ...request('move', `@det* [block:$NamedBlock] ${what} ${side}`), ...request('move', `@det* ${what} [@of] block:$Block ${side}`),
    ...request('show', `@det* [block:$NamedBlock] ${what} ${side}`),
    ...request('show', `@det* ${what} [@of] block:$Block ${side}`), `@det* [block:$NamedBlock] ${what} @shall ${side} @standLast`,
    `@det* ${what} [@of] block:$Block @shall ${side} @standLast`,
    ...(what === '@image' ? (ways[side] ?? []) : []).map((way) => `@det* (${what} [@of] block:$Block | block:$NamedBlock ${what}) ${way}`),
  ],
}))

const columnWords = { 2: '@twoColumns', 3: '@threeColumns', 4: '@fourColumns' }

/** German sentences that arrange the parts of a block, in order of precedence. */
export const layout: readonly Rule[] = [
  ...sideRules,
  {
    action: 'mirror',
    forms: [
      ...command('swap', '@det* @image (und | mit | gegen) @det* @copyText [@inside block:$Block]', '@det* @copyText (und | mit | gegen) @det* @image [@inside block:$Block]',
        '@inside block:$Block @det* @image (und | mit | gegen) @det* @copyText', '@inside block:$Block @det* @copyText (und | mit | gegen) @det* @image'),
      ...request('mirror', 'block:$Block'), ...request('mirror', '@det* layout [@of] block:$Block'),
    ],
  },
  {
    action: 'align',
    detail: 'center',
    forms: [
      ...request('center', '@det* [block:$NamedBlock] @copyText'), ...request('center', '@det* @copyText [@of] block:$Block'),
      ...request('align', '@det* [block:$NamedBlock] @copyText', '@centered'),
      ...request('align', '@det* @copyText [@of] block:$Block', '@centered'), ...request('set', '@det* [block:$NamedBlock] @copyText', '@centered'),
      ...request('set', '@det* @copyText [@of] block:$Block', '@centered'),
    ],
  },
  {
    action: 'align',
    detail: 'left',
    forms: [
      ...request('align', '@det* [block:$NamedBlock] @copyText', '@left'), ...request('align', '@det* @copyText [@of] block:$Block', '@left'),
      ...request('set', '@det* [block:$NamedBlock] @copyText', '[auf] linksbündig'),
    ],
  },
  {
    action: 'columns',
    forms: [
      ...request('show', '[@inside block:$Block] n:$Number @columns'), ...request('show', 'n:$Number @columns [@of] block:$Block'),
      ...request('show', 'block:$Block [mit | in | auf | zu] n:$Number @columns'),
      'block:$Block @shall n:$Number @columns haben', ...request('make', 'block:$Block n:$Number @columns'), '@give block:$Block n:$Number @columns',
    ],
  },
  ...Object.entries(columnWords).map(([detail, word]): Rule => ({
    action: 'columns', detail, forms: [...request('make', `block:$Block ${word}`), ...request('show', `block:$Block ${word}`), `block:$Block @shall ${word} sein`],
  })),
  {
    action: 'option',
    forms: [
      ...request('make', 'block:$Block [zu | zur | zum | in | auf | als] @det* option:$Option [@look]'),
      ...request('set', 'block:$Block (auf | in | zu | zur) @det* option:$Option [@look]'),
      'block:$Block @shall [als] @det* option:$Option (sein | werden)', 'mach aus block:$Block @det* option:$Option',
      'aus block:$Block @det* option:$Option machen',
    ],
  },
  {
    action: 'switch',
    detail: 'on',
    forms: [
      ...request('enable', 'field:$Field'),
      ...command('enable', '@inside block:$Block @det* name:$FieldName', '@det* name:$FieldName @inside block:$Block'),
    ],
  },
  {
    action: 'switch',
    detail: 'off',
    forms: [
      ...request('disable', 'field:$Field'),
      ...command('disable', '@inside block:$Block @det* name:$FieldName', '@det* name:$FieldName @inside block:$Block'),
    ],
  },
]
