import type { PlanningInput, Selection } from '../chat/port.ts'
import { codeOf } from '../content/naming.ts'
import { hasAny, type Words, wordSet } from '../content/words.ts'

/** The kind of work of a request, by its words. It chooses prompt, context and model, never an edit. */
export type Mode = 'translation' | 'page_rewrite' | 'several' | 'duplicate' | 'question' | 'page_operation'

const every = wordSet('all each every both alle allen aller jede jeder jedem jeden jedes beide beiden sämtliche sämtlichen')
const everything = wordSet('everything alles')
const complete = wordSet('whole entire complete ganze ganzen gesamte gesamten komplette kompletten')
const page = wordSet('page subpage seite unterseite')
const pages = wordSet('pages subpages seiten unterseiten')
const site = wordSet('site website webseite webauftritt homepage')
const create = wordSet('create creates creating add adds adding build generate write draft insert design compose erstelle erstellen erzeuge baue füge schreibe')
const remove = wordSet('remove delete entferne entfernen lösche löschen')
const copy = wordSet('duplicate copy clone dupliziere kopiere')
const rewrite = wordSet('rewrite reword rephrase umschreiben umformulieren formuliere')
const change = wordSet('change edit fix rename replace rewrite set update aktualisiere ändere ändern ersetze benenne')

const translate = wordSet('translate translates translated translating translation translations localize localise localized localised localizing übersetz übersetze übersetzen übersetzt übersetzung lokalisiere lokalisieren')
const languages = wordSet(`english german french spanish italian portuguese dutch japanese korean chinese swedish danish norwegian finnish czech
  hungarian romanian greek turkish russian ukrainian arabic hebrew hindi englisch deutsch französisch spanisch italienisch portugiesisch
  niederländisch japanisch koreanisch chinesisch schwedisch dänisch norwegisch finnisch polnisch tschechisch ungarisch rumänisch griechisch
  türkisch russisch ukrainisch arabisch hebräisch`)
const into = wordSet('in into to auf ins')
const courtesies = wordSet('please thanks bitte danke')
/** With one of these words, a language name refers to new content. */
const writing = wordSet('add create write insert draft generate compose new ergänze erstelle schreibe füge neue neuen neues')
const part = wordSet(`block section component hero banner cta faq card cards testimonials quote stats table tabs gallery carousel footer menu
  heading headline subheading title button caption paragraph abschnitt bereich karte karten kundenstimmen zitat kennzahlen tabelle galerie
  karussell fußzeile menü überschrift unterzeile titel knopf absatz`)
const pageWide = wordSet('page site website everything all whole entire seite webseite alles alle allen ganze ganzen gesamte gesamten')
const remake = wordSet('refocus rebrand redesign repurpose')
const remakePhrases = [
  / (?:all (?:headings|emojis?)|every heading|audit the headings|populate the page|make (?:the|this) page) /,
  / rewrite (?:all|everything|the page|the whole|this page) /,
  / alle (?:überschriften|emojis) /,
  / (?:schreibe?|formuliere|überarbeite|gestalte|mache?) (?:die(?:se| ganze| gesamte)? seite|alles) /,
  / (?:schreibe?|formuliere|überarbeite|gestalte|mache?) alle texte /,
]
const modify = wordSet('change replace with but for and then set use ändere mit aber für')
const many = wordSet('two three four five six seven eight nine ten')
const batch = wordSet('add insert reorder rearrange sort füge sortiere')
const asking = wordSet('what which where when why who whose how is are was were do does did should am has welche welcher welches wo wann warum wer wie ist sind')
const pageWork = wordSet('create add rename move erstelle lege benenne verschiebe')
const address = wordSet('slug route url')

/** Whether a message has a verb of an edit: a text answer to it is rejected once. */
export const hasEditVerb = (words: Words): boolean => hasAny(words, change, editing)
const editing = wordSet('make translate bearbeite korrigiere mach mache setze schreibe übersetze übersetzen')

const isLanguage = (word: string): boolean => languages.has(word) || (word.endsWith('e') && languages.has(word.slice(0, -1)))

/** Whether a request asks for a translation; a language name or new content in a language is not enough. */
export function isTranslation(words: Words): boolean {
  if (hasAny(words, translate)) return true
  if (hasAny(words, writing)) return false
  const [before = '', last = ''] = words.list.filter((word) => !courtesies.has(word)).slice(-2)
  return isLanguage(last) && into.has(before)
}

/** Whether a translation covers a complete page: no part is named; with a block selected, a word says all. */
export function isPageTranslation(words: Words, { blockId }: Selection): boolean {
  return isTranslation(words) && !namesPart(words) && (blockId === undefined || isWide(words))
}

/** Whether a request translates only the focused field: no word names anything else. */
export function isFieldTranslation(words: Words, { path }: Selection): boolean {
  return path !== undefined && isTranslation(words) && !isWide(words) && !namesPart(words)
}

/** Whether a request is a translation and asks for no other change. */
export const isOnlyTranslation = (words: Words): boolean =>
  isTranslation(words) && !hasAny(words, change, otherChange)
const otherChange = wordSet('add link point remove entferne ergänze füge setze verlinke')

/** Matches `this section`, but not `every section` or `the FAQ page`. */
const namesPart = ({ list }: Words): boolean => list.some((word, at) => {
  const [before = '', after = ''] = [list[at - 1], list[at + 1]]
  return part.has(word) && !every.has(before) && !page.has(after) && !pages.has(after)
})

/** Whether a request concerns more than one thing, by its words. */
export const isWide = (words: Words): boolean => hasAny(words, pageWide)

/** Whether a request concerns all pages of the site. */
export const isAboutEveryPage = ({ list, text }: Words): boolean => / (?:everywhere|sitewide|überall) /.test(text) || list.some((word, at) => {
  if (complete.has(word)) return site.has(list[at + 1] ?? '')
  const noun = list.slice(at + 1, at + 4).find((next) => !withNoun.has(next)) ?? ''
  return every.has(word) && (page.has(noun) || pages.has(noun))
})
const withNoun = wordSet('the of our my your other these single der die den dem unsere unserer unseren meine meiner anderen einzelne einzelnen')

/** The kinds of work, each with the test for its requests. */
const modes: readonly (readonly [Mode, (words: Words, selection: Selection) => boolean])[] = [
  ['translation', isPageTranslation],
  ['page_rewrite', (words) => hasAny(words, remake) || remakePhrases.some((each) => each.test(words.text))],
  ['several', (words) => hasAny(words, batch, remove) && (hasAny(words, every, many) || words.quoted > 2)],
  ['duplicate', (words) => hasAny(words, copy) && hasAny(words, modify)],
  ['question', ({ list }) => asking.has(list[0] ?? '')],
  ['page_operation', (words) => hasAny(words, page, pages, address) && hasAny(words, pageWork, remove, copy)],
]

/** The kinds of work of a request. */
export const modesOf = (words: Words, selection: Selection): ReadonlySet<Mode> =>
  new Set(modes.flatMap(([mode, isMode]) => (isMode(words, selection) ? [mode] : [])))

/** Whether a request only rewrites one block or makes a small cosmetic edit. */
export function isLight({ selection, open }: Pick<PlanningInput, 'selection' | 'open'>, words: Words): boolean {
  if (open !== undefined || words.quoted > 1 || isTranslation(words) || isWide(words) || modesOf(words, selection).size > 0) return false
  return hasAny(words, cosmetics) || (selection.blockId !== undefined && hasAny(words, rewrite, polish))
}
const polish = wordSet(`shorten shorter simplify polish punchier catchier warmer friendlier tighten typo spelling grammar kürze kürzen kürzer
  verkürze vereinfache vereinfachen einfacher knackiger eingängiger wärmer freundlicher straffe straffer tippfehler rechtschreibung grammatik`)
const cosmetics = wordSet(`align left right center centre colour color size level columns position bigger smaller larger linksbündig rechtsbündig
  links rechts zentriere zentriert mittig farbe größe ebene spalten position größer kleiner`)

/** Whether a request is worth thinking about before it is answered. */
export function isWorthThinking({ open, message }: Pick<PlanningInput, 'open' | 'message'>, words: Words): boolean {
  if (open !== undefined || words.quoted > 1 || hasAny(words, restructuring)) return true
  const turning = words.list.findIndex((word) => word === 'convert' || word === 'turn' || word === 'transform')
  if (turning >= 0 && words.list.includes('into', turning)) return true
  const isBroad = hasAny(words, every, everything) || / (?:voice|style|manner|stil|sprache) /.test(words.text)
  if (isBroad && hasAny(words, rewrite)) return true
  return message.length > 200 && / (?:if|unless|whenever|where|when|otherwise|wenn|falls) /.test(words.text)
}
const restructuring = wordSet(`restructure redesign reorganize reorganise rethink overhaul persuasive narrative tone umstrukturieren
  strukturiere umgestalten gestalte verwandle verwandeln umbauen überdenke überarbeite überarbeiten überzeugender tonfall`)

/**
 * Whether a request may be better done in several steps: it wants several pages, something for each of many, or one
 * thing created and another updated or linked. A model decides.
 */
export function mayTakeSeveralSteps(words: Words): boolean {
  if (/ (?:for (?:each|every|all)|für (?:jede|jeden|jedes|alle)) /.test(words.text.replace(' once and for all ', ' '))) return true
  const start = words.list.findIndex((word, at) => create.has(word) || makingA.has(`${word} ${words.list[at + 1] ?? ''}`))
  if (start < 0) return false
  const after = words.list.slice(start + 1)
  const listed = after.findIndex((word) => pages.has(word))
  if (listed >= 0 && !after.slice(0, listed).some((word) => onto.has(word))) return true
  const rest = ` ${after.join(' ')} `
  const first = newPage.exec(rest)
  if (first && newPage.test(rest.slice(first.index + first[0].length - 1))) return true
  return after.some((word, at) => {
    const next = joining.has(word) ? after.slice(at + 1, at + 5).filter((each) => !fillers.has(each)) : []
    return linking.has(next[0] ?? '') || (updating.has(next[0] ?? '') && !itself.has(next[1] ?? ''))
  })
}
/** Phrases in which `make` and `lege` mean creating something. */
const makingA = new Set(['make a', 'make an', 'make new', 'make two', 'make three', 'make four', 'make five', 'make me', 'set up', 'lege eine', 'lege neue'])
/** Between `create` and `pages`, these words mean that the pages already exist. */
const onto = wordSet('to on onto in into at of from auf zu in an von')
const newPage = / (?:a|an|another|one|eine|noch) (?:\S+ ){0,3}?(?:page|subpage|seite|unterseite) /
const joining = wordSet('and then und dann anschließend')
const fillers = wordSet('then also please afterwards finally dann auch bitte danach')
const linking = wordSet('link links connect point reference verlinke verlinken verknüpfe')
const updating = wordSet('update change edit adjust rename replace rewrite set modify aktualisiere ändere ersetze benenne passe')
/** A change of the created thing itself does not count as a second step. */
const itself = wordSet('it its them their this that es sie ihn ihre ihren deren dessen')

/** Whether a message asks to describe the selected image. A text in quotes is itself the description. */
export function asksForDescription(words: Words): boolean {
  if (words.quoted > 0 || hasAny(words, otherTextWork)) return false
  return / (?:describe|beschreibe?|beschreiben) /.test(words.text) || (hasAny(words, describing) && hasAny(words, descriptions))
}
const describing = wordSet('generate write create suggest improve add make draft rewrite give erzeuge generiere schreibe schreib erstelle verbessere ergänze mach mache formuliere gib')
const descriptions = wordSet('alt alttext description descriptive accessibility accessible alternativtext bildbeschreibung beschreibung beschreibender aussagekräftiger barrierefrei barrierefreier barrierefreiheit')
const otherTextWork = wordSet('translate translated translation shorten shorter remove delete clear copy move übersetze übersetzen kürze kürzer entferne lösche kopiere verschiebe')

/** Creates a test for messages that match all patterns. */
const saying = (...patterns: readonly RegExp[]) => ({ text }: Words): boolean => patterns.every((pattern) => pattern.test(text))

/** Matches "add a page about prices", but not "add a hero to the about page". */
export const asksForPage = saying(
  / (?:create|add|make|new|build|erstelle|erstellen|neue|neuen|anlegen|lege) (?:(?!(?:to|on|into|in|at|onto|auf|zu|zur) )\S+ ){0,4}?(?:page|seite) /,
)

/** Matches "delete the pricing page", but not "delete the hero on this page". */
export const asksToRemovePage = saying(
  / (?:delete|remove|lösche|löschen|entferne|entfernen) (?:(?!(?:on|from|of|in|off|at|auf|von|aus|vom) )\S+ ){0,3}?(?:page|seite) /,
)

/** Whether a message names the end of something as a place. */
export const namesEnd = saying(/ (?:bottom|end|last|unten|ende) /)

/** Whether a message names both the hero button and the button at the end of the page. */
export const namesBothButtons = saying(
  / (?:ctas?|buttons?|calls? to action|knopf|knöpfe|schaltflächen?) /, / hero /,
  / (?:closing|footer|bottom|final|last|unten|ende|schluss|letzten?) /,
)

/** Whether a message asks to keep the links. */
export const keepsLinks = saying(
  / (?:links?|verlinkung|verlinkungen) /, / (?:keep|unchanged|same|leave|unverändert|behalten?|bleiben|lasse?) /,
)

/** Whether a request concerns the description of an image, by its words. */
export const isAboutAltText = saying(/ alt text /)

/** The languages that prompts call by name. */
const named = new Set('en de fr es it pt nl ja ko zh'.split(' '))
const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** Names a language for a model. Other valid codes are named by their code; anything else is English. */
export function languageOf(locale: string): string {
  const code = codeOf(locale)
  if (named.has(code)) return languageNames.of(code) ?? code
  return /^[a-z]{2,3}$/.test(code) ? `the language with the code ${code}` : 'English'
}
