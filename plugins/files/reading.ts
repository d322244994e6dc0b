/** What a file is read as, and how a change of it is asked for. */
import { withoutGeneratedId } from '../content/items.ts'
import { sameJson } from '../content/plain-object.ts'
import type { Block, Props } from '../content/page.ts'
import { refusal, type Patched, type Unreadable, type Unwritable } from './outcome.ts'
import { lineAt, type Span } from './ranges.ts'

/** A block of a file; its span is what a change of it may touch. */
export interface ReadBlock extends Span {
  readonly type: string
  readonly props: Props
  /** Why nothing of it can be changed, as a sentence. */
  readonly fixed?: string
}

export interface Reading {
  /** The title of the front matter, which `Details` then lacks. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The first heading, which titles a document without a title. */
  readonly heading?: string | undefined
  readonly blocks: readonly ReadBlock[]
}

/** The part of a page that its file holds. */
export interface FileContent {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly blocks: readonly Block[]
}

/** What the project says about a file. */
export interface FileOptions {
  /** The opening marks of the template language that renders the file; by default those of most languages. */
  readonly delimiters?: readonly string[]
  /** Whether `:name` and `::name` in Markdown are directives. */
  readonly directives?: boolean
}

/** A kind of file. Both functions are pure. */
export interface FileKind {
  /** Reads a text; the file is never refused for what is in it, but for what cannot be read. */
  read(text: string): Reading | Unreadable
  /** Parses a text in short steps; `read` then takes no time. Absent where parsing is fast. */
  parse?(text: string): Iterable<unknown>
  /** Returns a wanted content as a text is read that has it; absent where every text is read as it was written. */
  held?(before: FileContent, after: FileContent): FileContent
  /**
   * Returns the text with what differs between two contents, the first of which is that of the text. Code is
   * new unless the text has it, or it is in one of the texts that the file has had.
   */
  patch(text: string, before: FileContent, after: FileContent, former?: ReadonlySet<string>): Patched
}

/** Returns a content whose blocks have other props where they differ from those before. */
export function withHeldProps(
  before: FileContent,
  after: FileContent,
  heldProps: (block: Block, before: Props | undefined) => Props,
): FileContent {
  const known = new Map(before.blocks.map(({ id, props }) => [id, props]))
  const blocks = after.blocks.map((block) => {
    const was = known.get(block.id)
    return sameJson(was, block.props) ? block : { ...block, props: heldProps(block, was) }
  })
  return { ...after, blocks }
}

/** Blocks that a file has once, at its start. */
export const pinned: ReadonlySet<string> = new Set(['Details', 'Data', 'Texts'])

/** Refuses if a text is not read as the content that a change begins with. */
export function staleReason(reading: Reading, before: FileContent): Unwritable | undefined {
  const isTitled = reading.title === undefined || reading.title === before.title
  const isSame =
    isTitled &&
    reading.blocks.length === before.blocks.length &&
    reading.blocks.every(({ type, props }, n) => {
      const block = before.blocks[n]
      return block?.type === type && sameJson(block.props, props, withoutGeneratedId)
    })
  return isSame ? undefined : refusal('stale', 'The file has changed since it was read.')
}

/** The longest text that is read: parsing holds the process. */
const mostCharacters = 1024 * 1024

const conflictMark = /^(?:<{7} |>{7} )/m

/**
 * What no kind reads: large files, those in the middle of a merge, and values inside of thousands of others.
 */
export function withLimits({ parse, held, read, patch }: FileKind): FileKind {
  return {
    ...(held && { held }),
    ...(parse && {
      *parse(text) {
        if (limitIn(text)) return
        const steps = parse(text)[Symbol.iterator]()
        while (withoutOverflow(() => steps.next())?.done === false) yield
      },
    }),
    read: (text) => limitIn(text) ?? withoutOverflow(() => read(text)) ?? tooDeep,
    patch(text, before, after, former) {
      const limit = limitIn(text)
      if (limit) return refusal('stale', limit.unreadable)
      const wanted = held?.(before, after) ?? after
      return withoutOverflow(() => patch(text, before, wanted, former)) ?? refusal('form', tooDeep.unreadable)
    },
  }
}

function limitIn(text: string): Unreadable | undefined {
  if (text.length > mostCharacters) return { unreadable: 'The file is larger than 1 MB.', line: 1 }
  const conflict = conflictMark.exec(text)
  return conflict
    ? { unreadable: 'The file has marks of a merge.', line: lineAt(text, conflict.index) }
    : undefined
}

const tooDeep: Unreadable = { unreadable: 'The file is nested too deep.', line: 1 }

function withoutOverflow<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
