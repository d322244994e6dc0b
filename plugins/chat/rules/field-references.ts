/** From words to fields. */
import { propsByPhrase, wordsOf } from './names.ts'
import { defined, found, isThis, readItem, type ReferenceMatches, splits } from './references.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import {
  blocksOn,
  fieldNamed,
  filledFields,
  type Item,
  type ItemField,
  itemsOf,
  pageAt,
  type PlanState,
  selected,
  siteOf,
} from './work.ts'

const heroProps: ReadonlySet<string> = new Set(['heading', 'subheading', 'eyebrow'])

/**
 * Reads a field: `heading`, `hero heading`, `hero's heading`, `title of the second feature`, `page title`,
 * `this`.
 */
export function readField(work: PlanState, tokens: Tokens): ReferenceMatches<ItemField> | undefined {
  if (isThis(work, tokens)) {
    const { field } = selected(work)
    return field && found(tokens, [field])
  }
  const isName = (part: Tokens) =>
    part.every(({ kind }) => kind === 'word') && work.names.fields.has(phraseOf(part))
  const readings = isName(tokens) ? [fieldsAlone(work, phraseOf(tokens))] : []
  const read = (part: Tokens, owner: Tokens) => {
    // `the alt text of the hero picture` is that of the hero.
    const isOfImage =
      /\balt\b/.test(phraseOf(part)) && /^(?:image|picture|photo)$/.test(owner.at(-1)?.word ?? '')
    const owners = [owner, ...(isOfImage ? [owner.slice(0, -1)] : [])]
    const items = isName(part)
      ? owners.map((each) => readItem(work, each)?.candidates).find((each) => each)
      : undefined
    if (items) readings.push(fieldsCalled(items, phraseOf(part)))
  }
  for (let at = 1; at < tokens.length; at += 1) {
    const [text, name] = [tokens.slice(0, at), tokens.slice(at)]
    read(name, text.at(-1)?.word === "'s" ? text.slice(0, -1) : text)
    // `the Book now button`
    const isText = isName(name) && text.every(({ kind }) => kind === 'word')
    const saying = isText
      ? fieldsSaying(work, phraseOf(name), (value) => wordsOf(value) === phraseOf(text))
      : []
    if (saying.length > 0) readings.push(saying)
  }
  for (const [part, owner] of splits(tokens)) read(part, owner)
  const [quoted, ...others] = tokens.filter(({ kind }) => kind === 'quoted')
  const name = tokens.filter(
    ({ kind, word }) => kind !== 'quoted' && !/^(?:that|which|says|saying|called|labelled|text)$/.test(word),
  )
  if (quoted && others.length === 0 && name.length > 0 && isName(name))
    readings.push(fieldsSaying(work, phraseOf(name), (value) => value === quoted.text))
  if (readings.length === 0) return undefined
  const byId = new Map(readings.flat().map((field) => [field.id, field]))
  return found(tokens, [...byId.values()])
}

/** The fields of some items that a name means. */
const fieldsCalled = (items: readonly Item[], phrase: string): readonly ItemField[] =>
  items.flatMap((item) => fieldNamed(item, propsByPhrase(item.fields).get(phrase)) ?? [])

/** The fields of a name, such as any kind of button, with a text: `"Book now" button`. */
function fieldsSaying(
  work: PlanState,
  phrase: string,
  isText: (value: string) => boolean,
): readonly ItemField[] {
  const items = blocksOn(work, work.slug).flatMap((block) => [block, ...itemsOf(block)])
  return items.flatMap((item) => {
    const prop = propsByPhrase(item.fields).get(phrase)?.toLowerCase()
    return filledFields(item).flatMap(([name]) => {
      const value = item.props[name]
      const isMeant = prop !== undefined && name.toLowerCase().endsWith(prop)
      return isMeant && typeof value === 'string' && isText(value) ? (fieldNamed(item, name) ?? []) : []
    })
  })
}

/**
 * A field without its owner: of the selection, of the only hero, or of every block that has it, the page and
 * the site.
 */
function fieldsAlone(work: PlanState, phrase: string): readonly ItemField[] {
  const { row, block } = selected(work)
  const [ofSelection] = fieldsCalled(defined(row, block), phrase)
  if (ofSelection) return [ofSelection]
  // Every field is a text.
  if (phrase === 'text') return []
  const blocks = blocksOn(work, work.slug)
  if (phrase === 'title') return fieldsCalled(blocks, phrase)
  const heroes = fieldsCalled(
    blocks.filter(({ type }) => type?.type === 'Hero'),
    phrase,
  ).filter(({ name }) => heroProps.has(name))
  if (heroes.length === 1) return heroes
  return fieldsCalled([...blocks, ...defined(pageAt(work, work.slug), siteOf(work))], phrase)
}
