/** Wishes that no operation fulfils, and what there is instead: near sentences would do something else. */
import { texts } from './texts.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import { commandIn, withoutNew } from './topics.ts'

/** A kind of wish: its verbs, what it wants something to be, and other wordings. */
interface Wish {
  readonly verbs?: string
  readonly states?: string
  readonly wording?: RegExp
  readonly answer: string
  /**
   * Whether a sentence near to the message may be offered as well: one that asks for a text or an address.
   */
  readonly isNear?: boolean
}

const menu = '(?:menu|navigation)'

const wishes: readonly Wish[] = [
  {
    wording: new RegExp(
      `^(?:take|remove|hide|get|drop|delete|exclude)\\b.* (?:out of|off|from|in) ${menu}\\b|\\bnot\\b.* in ${menu}\\b`,
    ),
    answer: texts.inMenu,
  },
  {
    verbs:
      'hide|hides|hiding|unhide|hidden|conceal|mask|disable|disabled|deactivate|deactivated|suspend|pause|mute|collapse|enable|activate',
    states: 'hidden|invisible|inactive|disabled|visible|active|unavailable',
    wording:
      /^(?:turn|switch|put|tuck|comment)\b(?:.* )?(?:off|away|aside|out)\b|\b(?:out of sight|not (?:be )?(?:shown|visible))\b|\bdisappear|\bon hold\b/,
    answer: texts.notHidden,
  },
  {
    verbs: 'lock|locked|unlock|freeze|frozen|protect|protected|restrict|secure|password',
    states: 'locked|frozen|protected|private|read only|readonly|secret',
    answer: texts.notLocked,
  },
  {
    verbs:
      'archive|archived|unpublish|unpublished|retire|shelve|shelved|park|back up|backup|bookmark|stash|offline',
    states: 'archived|unpublished|(?:a )?draft|offline',
    wording: /^(?:save|keep|store)\b.* (?:for later|safe|somewhere)$|^take\b.* (?:offline|down)\b/,
    answer: texts.notArchived,
  },
  {
    verbs: 'pin|pinned|unpin|stick|dock|float',
    states: 'sticky|pinned|fixed|floating',
    answer: texts.notPinned,
  },
  {
    verbs: 'schedule|scheduled|postpone|delay|expire',
    wording:
      /^(?:show|display|put|take|remove|delete|add|change|move|set)\b.* (?:until|tomorrow|tonight|next (?:week|month|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|at \d+)\b/,
    answer: texts.notTimed,
  },
  {
    verbs: 'upload|crop|resize|retouch|draw|rotate',
    wording:
      /\b(?:different|another|other|new|nicer|better|photo of|picture of|image of)\b.*\b(?:photo|picture|image)s?\b|^(?:find|search|use|take|get)\b.* (?:photo|picture|image)\b/,
    answer: texts.ofPictures,
    isNear: true,
  },
  {
    verbs:
      'translate|translated|shorten|shortened|rewrite|rewritten|rephrase|reword|improve|improved|summarize|summarise|simplify|proofread|polish|expand|lengthen|suggest|correct|write|generate|describe|optimize|optimise',
    states:
      '(?:more|less|a bit|a little|much|not so|not as) .*|(?:short|long|friendli|catchi|clear|simpl|warm|punchi|snappi|nic|funni|strong|formal|informal|concise|tight|brief)(?:er)?|better|good|shorter',
    wording: /\b(?:spell ?check|spelling|grammar|typos?|tone|wording)\b|\btoo (?:long|short|formal|boring)\b/,
    answer: texts.needsModel,
    isNear: true,
  },
  {
    verbs: 'center|centre|bold|italicize|underline|highlight|emphasize|enlarge|shrink|animate|recolor|style',
    states:
      'red|blue|green|yellow|orange|pink|purple|black|white|grey|gray|brown|colorful|bold|italic|underlined|big|bigger|small|smaller|large|larger|wider|narrower|taller|darker|lighter|brighter|centered|rounded|pop',
    wording: /\b(?:font|colou?rs?|spacing|margins?|padding|background)\b/,
    answer: texts.ofDesign,
  },
]

/** What is before a verb, and before what something is to be. */
const beforeVerb = '(?:^|[,;:] |\\b(?:to|please|and|be|get|you|we|i|should|must|can|could|are|is) )'
const beforeState =
  '\\b(?:make|made|set|change|keep|mark|turn|switch|put|be|become|look|sound|stay|is|are|in)\\b(?: .*)? '

/** Matches nothing. */
const never = /(?!)/

const patterns = wishes.map(({ verbs, states, wording, isNear = false, answer }) => ({
  answer,
  isNear,
  command: new RegExp(
    [
      ...(verbs === undefined ? [] : [`${beforeVerb}(?:${verbs})\\b`]),
      ...(wording ? [wording.source] : []),
    ].join('|') || never,
  ),
  state:
    states === undefined
      ? never
      : new RegExp(`${beforeState}(?:${states})(?: (?:until|for|from|on|to|on) .*)?$`),
}))

/**
 * Longer messages are not judged by single words, whose search would take time with the square of the length.
 */
const mostLetters = 300

/** What is answered to a wish that no operation fulfils; `undefined` for other messages. */
export function wishIn(tokens: Tokens): { readonly answer: string; readonly isNear: boolean } | undefined {
  const [asked, changed] = [commandIn(tokens), withoutNew(tokens)].map(wordingOf)
  if (asked === undefined || changed === undefined || changed.length > mostLetters) return undefined
  return patterns.find(({ command, state }) => command.test(asked) || state.test(changed))
}

/** The words up to the first text in quotes; `the write to us button` names something. */
const wordingOf = (tokens: Tokens): string =>
  `${tokens[0]?.article ?? ''} ${phraseOf(tokens.map((token) => (token.kind === 'quoted' ? { ...token, text: '""' } : token)))}`
    .trim()
    .replace(/ "" .*$/, '')
