import { apart, around, request, type VerbName } from '../verbs.ts'

/** A text in quotes, or a value that is one word, may follow any little word; other texts follow the one that the verb asks for. */
export const literal = '(v:$Quoted | v:$Literal)'

/** What something is set to, with the verb wherever it may stand: also `Überschrift ändern in …`. */
export const setBy = (name: VerbName, what: string, rest: string): readonly string[] =>
  [...request(name, what, rest), `[@want] ${what} @${name}Last ${rest}`, ...apart(name, what, rest)]

export const setTo = (what: string): readonly string[] => [
  ...setBy('set', what, `@to ${literal}`), ...setBy('change', what, '@toChange v:$Value'), ...setBy('substitute', what, '@toSubstitute v:$Value'),
  ...setBy('fix', what, '@toFix v:$Value'),
]

export const renameTo = (what: string): readonly string[] => ['@toRename v:$Value', `@to ${literal}`].flatMap((rest) => [
  ...around('rename', what, rest), ...apart('rename', what, rest), `[@want] ${what} ${rest} @renameLast`, `[@want] ${what} @renameLast ${rest}`,
  `${what} @shall ${rest} @renamePassive`,
])

/** `soll … lauten`, `soll lauten: …`, `ich möchte, dass … lautet`, `… lautet künftig …`. */
export const shouldBe = (what: string): readonly string[] => [
  `${what} @shall [:] ${literal} @saysLast`, `${what} @shall [:] v:$Value (lauten | heißen)`, `${what} @shall @saysFirst [:] ${literal}`,
  `${what} @shall @saysFirst : v:$Value`,
  `[@want [,]] dass ${what} ${literal} (lautet | heißt | ist | steht)`, `${what} @isNow [:] ${literal}`, `als ${what} @shall ${literal} @saysLast`,
]
