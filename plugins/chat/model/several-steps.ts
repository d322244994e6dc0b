import { hasPhrase, wordSet, type Words } from './words.ts'

const creating = wordSet('create creates creating add adds adding build generate write draft insert design erstelle erstellen erzeuge baue füge schreibe')
/** `make` and `lege` create something only before these. */
const makingA = ['make a', 'make an', 'make new', 'make two', 'make three', 'make four', 'make five', 'make me', 'set up', 'lege eine', 'lege neue']
const pages = wordSet('pages subpages seiten unterseiten')
const page = wordSet('page subpage seite unterseite')
/** Between `create` and `pages`, they say that the pages are there already. */
const onto = wordSet('to on onto in into at of from auf zu in an von')
const forMany = ['for each', 'for every', 'for all', 'für jede', 'für jeden', 'für jedes', 'für alle']
const joining = wordSet('and then und dann anschließend')
/** So many words lie between words that belong together. */
const distance = 4
/** What may stand between one clause and the verb of the next. */
const between = wordSet('then also please afterwards finally dann auch bitte danach')
const linking = wordSet('link links connect point reference verlinke verlinken verknüpfe')
const updating = wordSet('update change edit adjust rename replace rewrite set modify aktualisiere ändere ersetze benenne passe')
/** A change of the new thing itself is no second thing. */
const itself = wordSet('it its them their this that es sie ihn ihre ihren deren dessen')

/**
 * Tells whether a request may be better done in several steps: it wants several pages, something for each of many, or one
 * thing created and another updated or linked.
 *
 * Words alone decide, those in quotes left out. A model has the last word on it.
 */
export function mayTakeSeveralSteps(words: Words): boolean {
  return wantsPages(words) || isForMany(words) || joinsTwo(words)
}

const creates = ({ list }: Words): number => {
  const single = list.findIndex((word) => creating.has(word))
  if (single >= 0) return single
  return list.findIndex((word, at) => makingA.includes(`${word} ${list[at + 1] ?? ''}`))
}

function wantsPages(words: Words): boolean {
  const at = creates(words)
  if (at < 0) return false
  const after = words.list.slice(at + 1)
  const many = after.findIndex((word) => pages.has(word))
  if (many >= 0 && !after.slice(0, many).some((word) => onto.has(word))) return true
  // "a page for prices and a page for the team"
  const singles = after.flatMap((word, place) => (page.has(word) ? [place] : []))
  return singles.length > 1 && singles.slice(0, 2).every((place) => isNew(after, place))
}

const articles = wordSet('a an another one eine noch')

/** `a page`, `a small pricing page`: an article stands near before it. */
const isNew = (list: readonly string[], at: number): boolean => list.slice(Math.max(0, at - distance), at).some((word) => articles.has(word))

const isForMany = (words: Words): boolean => forMany.some((phrase) => hasPhrase(words, phrase)) && !hasPhrase(words, 'once and for all')

function joinsTwo(words: Words): boolean {
  const start = creates(words)
  if (start < 0) return false
  const { list } = words
  return list.some((word, at) => {
    if (at <= start || !joining.has(word)) return false
    const rest = list.slice(at + 1, at + 1 + distance)
    const verb = rest.findIndex((each) => !between.has(each))
    if (linking.has(rest[verb] ?? '')) return true
    return updating.has(rest[verb] ?? '') && !itself.has(rest[verb + 1] ?? '')
  })
}
