import { authorityOf } from '../../content/authority.ts'
import { engineBlockId } from '../../content/block-ids.ts'
import { pagesIn } from '../../content/draft-view.ts'
import type { Block, Fields, Props } from '../../content/model.ts'
import { toTypeName } from '../../content/naming.ts'
import { isPageNamed } from '../frame/names.ts'
import type { Value } from '../frame/values.ts'
import { isParagraph } from '../resolve/blocks.ts'
import { findPage } from '../resolve/pages.ts'
import { ask, reject } from '../work/ask.ts'
import type { Work } from '../work/work.ts'
import { type Parts, textOf } from './action.ts'
import { textKinds, toValue } from './values.ts'

const firstOwn = (fields: Fields, names: readonly string[]) => names.find((name) => Object.hasOwn(fields, name))

type PropMapping = ReturnType<typeof rowMapping>

/** The props that texts for a new row set, `said` for `saying …`; a number with a label has its own. */
export function rowMapping(fields: Fields) {
  const main = firstOwn(fields, ['value', 'title', 'q', 'quote', 'label', 'heading', 'caption'])
  return { main, called: firstOwn(fields, ['label', 'title', 'q', 'quote', 'heading', 'caption']), said: main }
}

const titleProps = ['heading', 'title', 'text', 'quote']

/** The props that texts for a new block set. */
const blockMapping = (fields: Fields) =>
  ({ main: firstOwn(fields, titleProps), called: firstOwn(fields, titleProps), said: firstOwn(fields, ['text', 'quote', 'body', ...titleProps]) })

/** The roles that give the content of something new. */
export const contentRoles = 'text* called? saying? labelled? by? value* linking? detail*'

const particles: ReadonlySet<string> = new Set(['von', 'van', 'der', 'den', 'de', 'da', 'di', 'del', 'la', 'el', 'al', 'bin', 'and', 'und', '&'])

/** `Great trip by Bo` */
const authored = / (?:by|from|von) \p{Lu}/u

/** Capitalized words, with particles between them. */
export const isPersonName = (text: string): boolean => text.split(' ').every((word) => /^[\p{Lu}\d][^:]*$/u.test(word) || particles.has(word))

/** The props that a clause sets on something new: `called "…"`, `by Ana`, `with the answer "…"`. */
export function contentOf(work: Work, fields: Fields, parts: Parts, { main, called, said: says }: PropMapping): Props {
  const content: Record<string, unknown> = {}
  const assign = (name: string | undefined, value: Value | undefined) => {
    const meta = name === undefined ? undefined : fields[name]
    if (name === undefined || !meta || Object.hasOwn(content, name)) return reject('no such field, or set twice')
    if (textKinds.has(meta.kind) && value?.form === 'address') return reject('an address is not a text')
    content[name] = toValue(work, { name, meta }, textOf(value))
  }
  const author = parts.first('by')?.value
  const isAuthorUnclear = author?.form === 'text' && (!isPersonName(author.text) || pagesIn(work.draft).some((page) => isPageNamed(page, work.draft.config, author.text)))
  const said = parts.frame.chunks.filter(({ role }) => role === 'value' || role === 'text')
  if (isAuthorUnclear || said.some(({ value }) => value?.form !== 'quoted' && value?.form !== 'figure')) return reject('content must be quoted')
  const [text, answer, ...others] = said
  if (others.length > 0) return reject('too many texts')
  if (author) assign(firstOwn(fields, ['author']), author)
  // A complete sentence is the body of a text section, not its title.
  const isSentence = Object.hasOwn(fields, 'body') && (isParagraph(parts.object) || /[.!?]$/.test(text?.value?.text ?? ''))
  const hasLabel = main === 'value' && Object.hasOwn(fields, 'label') && /\p{L}{3}/u.test(text?.value?.text ?? '')
  if (text?.value?.form === 'figure' && main !== 'value') return reject('a number is not a title')
  if (hasLabel) return reject('may include the label')
  if (text) assign(isSentence ? 'body' : main, text.value)
  const saying = parts.first('saying')
  const mayNameAuthor = saying?.value?.form === 'text' && Object.hasOwn(fields, 'author') && authored.test(saying.value.text)
  if (mayNameAuthor) return reject('may end with the author')
  const isQuestion = work.context.parser.tokens.slice(saying?.start, saying?.end).some(({ word }) => word === 'question' || word === 'frage')
  if (saying && isQuestion && !Object.hasOwn(fields, 'q')) return reject('the section has no question of its own')
  if (saying) assign(says, saying.value)
  if (answer) assign(firstOwn(fields, ['a']), answer.value)
  for (const { value } of parts.all('called', 'labelled')) assign(called, value)
  for (const { options = [], value: own } of parts.all('detail')) assign(firstOwn(fields, options), own)
  const link = parts.first('linking')
  const page = link?.noun && findPage(work, link.noun)
  const target: Value | undefined = page ? { text: page.slug, form: 'address', end: 0 } : link?.value
  if (link) assign(firstOwn(fields, ['ctaHref', 'href', 'url']), target)
  return content
}

const mostBlocks = 5

export const countOf = (work: Work, count = 1, most = mostBlocks): number => (count > most || count === 0 ? ask(work.context.texts.tooMany(most)) : count)

/** A block with the starter content of its type, overridden by the content of the clause. */
export function newBlock(work: Work, name: string, parts: Parts | undefined, used: readonly string[] = []): Block {
  const { context: { texts, input, now, types, localize }, draft, drafts } = work
  const type = toTypeName(name, types.map((known) => known.type))
  const authority = authorityOf(type, input)
  if (!authority.ok) return ask(texts.typeNotHere(name))
  const { blockType } = authority
  if (blockType.chrome) ask(texts.pinned(localize(blockType).displayName))
  // Also avoid ids of blocks that an earlier clause added and removed.
  const id = engineBlockId(type, now, (wanted) => used.includes(wanted) || [draft, ...drafts].some((each) => each.hasBlockId(wanted)))
  const content = parts ? contentOf(work, blockType.fields, parts, blockMapping(blockType.fields)) : {}
  const { role: _role, ...starter } = blockType.starter()
  // With a real author, drop the role from the starter content.
  return { id, type, props: { ...('author' in content ? starter : blockType.starter()), ...content } }
}
