import { authorityOf } from '../../content/authority.ts'
import { engineBlockId } from '../../content/block-ids.ts'
import { pagesIn } from '../../content/draft-view.ts'
import type { Block, Fields, Props } from '../../content/model.ts'
import { toTypeName } from '../../content/naming.ts'
import { isPageNamed } from '../frame/names.ts'
import { isParagraph } from '../resolve/blocks.ts'
import { findPage } from '../resolve/pages.ts'
import { ask, unfit } from '../work/ask.ts'
import type { Work } from '../work/work.ts'
import { type Parts, textOf } from './action.ts'
import { toValue } from './values.ts'

/** Which props the words around a new thing mean. */
export interface Meanings {
  readonly main: string | undefined
  readonly called: string | undefined
  /** What it says. */
  readonly said: string | undefined
}

const first = (fields: Fields, names: readonly string[]) => names.find((name) => Object.hasOwn(fields, name))

/** What a text alone is for a new row: of a number with a label, the number. */
export function rowMeanings(fields: Fields): Meanings {
  const main = first(fields, ['value', 'title', 'q', 'quote', 'label', 'heading', 'caption'])
  return { main, called: first(fields, ['label', 'title', 'q', 'quote', 'heading', 'caption']), said: main }
}

const titleProps = ['heading', 'title', 'text', 'quote']

/** What a text alone is for a new block. */
const blockMeanings = (fields: Fields): Meanings =>
  ({ main: first(fields, titleProps), called: first(fields, titleProps), said: first(fields, ['text', 'quote', 'body', ...titleProps]) })

/** The parts of a sentence that say what is in something new. */
export const contentRoles = 'text* called? saying? labelled? by? value* linking? detail*'

const particles: ReadonlySet<string> = new Set(['von', 'van', 'der', 'den', 'de', 'da', 'di', 'del', 'la', 'el', 'al', 'bin', 'and', 'und', '&'])

/** Words with capitals, and what may stand between them. */
const isPersonName = (text: string): boolean => text.split(' ').every((word) => /^[\p{Lu}\d][^:]*$/u.test(word) || particles.has(word))

/** The props that a sentence gives something new: `called "…"`, `by Ana`, `with the answer "…"`. */
export function contentOf(work: Work, fields: Fields, parts: Parts, { main, called, said: says }: Meanings): Props {
  const content: Record<string, unknown> = {}
  const give = (name: string | undefined, text: string) => {
    const meta = name === undefined ? undefined : fields[name]
    if (name === undefined || !meta || Object.hasOwn(content, name)) return unfit('the field does not exist, or is given twice')
    content[name] = toValue(work, { name, meta }, text)
  }
  const author = parts.first('by')?.value
  const isOpen = author?.form === 'text' && (!isPersonName(author.text) || pagesIn(work.draft).some((page) => isPageNamed(page, work.draft.config, author.text)))
  const said = parts.frame.chunks.filter(({ role }) => role === 'value' || role === 'text')
  if (isOpen || said.some(({ value }) => value?.form !== 'quoted' && value?.form !== 'figure')) return unfit('what it says stands in quotes')
  const [text, answer, ...others] = said
  if (others.length > 0) return unfit('there are too many texts')
  if (author) give(first(fields, ['author']), textOf(author))
  // A sentence is what a section of text says, and not its title.
  const isSentence = Object.hasOwn(fields, 'body') && (isParagraph(parts.object) || /[.!?]$/.test(text?.value?.text ?? ''))
  if (text) give(isSentence ? 'body' : main, textOf(text.value))
  const saying = parts.first('saying')
  const isQuestion = work.scene.ground.tokens.slice(saying?.start, saying?.end).some(({ word }) => word === 'question' || word === 'frage')
  if (saying && isQuestion && !Object.hasOwn(fields, 'q')) return unfit('a section of questions says none itself')
  if (saying) give(says, textOf(saying.value))
  if (answer) give(first(fields, ['a']), textOf(answer.value))
  for (const { value } of parts.all('called', 'labelled')) give(called, textOf(value))
  for (const { options = [], value: own } of parts.all('detail')) {
    const name = first(fields, options)
    give(name === 'ctaText' && own?.form === 'address' ? unfit('where a button leads is not its text') : name, textOf(own))
  }
  const link = parts.first('linking')
  if (link) give(first(fields, ['ctaHref', 'href', 'url']), link.noun ? findPage(work, link.noun).slug : textOf(link.value))
  return content
}

const mostBlocks = 5

export const countOf = (work: Work, count = 1, most = mostBlocks): number => (count > most || count === 0 ? ask(work.scene.texts.tooMany(most)) : count)

/** A block of a type with its starter content, and what the words say in place of that. */
export function newBlock(work: Work, name: string, parts: Parts | undefined, used: readonly string[] = []): Block {
  const { scene: { texts, input, now, types, named }, draft, drafts } = work
  const type = toTypeName(name, types.map((known) => known.type))
  const authority = authorityOf(type, input)
  if (!authority.ok) return ask(texts.typeNotHere(name))
  const { blockType } = authority
  if (blockType.chrome) ask(texts.pinned(named(blockType).displayName))
  // An earlier clause may have added a block and removed it again.
  const id = engineBlockId(type, now, (wanted) => used.includes(wanted) || [draft, ...drafts].some((each) => each.hasBlockId(wanted)))
  const content = parts ? contentOf(work, blockType.fields, parts, blockMeanings(blockType.fields)) : {}
  const { role: _role, ...starter } = blockType.starter()
  // Who says something is not made up.
  return { id, type, props: { ...('author' in content ? starter : blockType.starter()), ...content } }
}
