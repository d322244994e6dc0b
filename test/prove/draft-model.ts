/** A simple reference model: the expected state of a draft after a series of changes. */

/** The parts of a page that the proofs change. */
export interface ModelPage {
  /** A text that is unique to a change. */
  readonly marker: string
  /** The slug that it links to. */
  readonly link: string
}

/** A requested change. The parts of a batch are applied in this order, all or none. */
export type ModelEdit =
  | {
      readonly kind: 'batch'
      readonly marker: string
      readonly moves?: { readonly from: string; readonly to: string }
      readonly removes?: string
      readonly creates?: string
      /** Pages that get the marker. */
      readonly marks: readonly string[]
      /** The marker becomes the name of the site. */
      readonly names?: true
    }
  | { readonly kind: 'undo' | 'redo'; readonly slug: string }

export interface DraftModel {
  readonly pages: ReadonlyMap<string, ModelPage>
  /** The name of the site. */
  name(): string | undefined
  /** Applies a change and returns the slugs that it touches. */
  apply(edit: ModelEdit): ReadonlySet<string>
  can(kind: 'undo' | 'redo', slug: string): boolean
}

interface ModelSides<T> {
  readonly before: T | undefined
  readonly after: T | undefined
}

interface ModelChange {
  readonly pages: ReadonlyMap<string, ModelSides<ModelPage>>
  readonly name: ModelSides<string> | undefined
}

type Batch = Extract<ModelEdit, { kind: 'batch' }>
type Stacks = Map<string, readonly ModelChange[]>

const depth = 50
const linkOfNewPages = '/'

/** Creates the model of a bootstrapped draft; the bootstrap cannot be undone. */
export function createDraftModel(initial: ReadonlyMap<string, ModelPage>): DraftModel {
  const pages = new Map(initial)
  const stacks = { undo: new Map() as Stacks, redo: new Map() as Stacks }
  let name: string | undefined

  const top = (kind: 'undo' | 'redo', slug: string): ModelChange | undefined => stacks[kind].get(slug)?.at(-1)
  const push = (stack: Stacks, slug: string, change: ModelChange): void =>
    void stack.set(slug, [...(stack.get(slug) ?? []), change].slice(-depth))

  function put(slug: string, page: ModelPage | undefined): void {
    if (page) pages.set(slug, page)
    else pages.delete(slug)
  }

  function applyBatch({ marker, moves, removes, creates, marks, names }: Batch): ModelChange {
    const earlier = new Map(pages)
    const nameBefore = name
    if (moves) {
      put(moves.to, pages.get(moves.from))
      put(moves.from, undefined)
      for (const [slug, page] of pages) if (page.link === moves.from) put(slug, { ...page, link: moves.to })
    }
    if (removes !== undefined) put(removes, undefined)
    if (creates !== undefined) put(creates, { marker, link: linkOfNewPages })
    for (const slug of marks) {
      const page = pages.get(slug)
      if (!page) throw new Error(`page ${slug} does not exist`)
      put(slug, { ...page, marker })
    }
    if (names) name = marker
    const touched = [...new Set([...earlier.keys(), ...pages.keys()])]
      .map((slug) => [slug, { before: earlier.get(slug), after: pages.get(slug) }] as const)
      .filter(([, { before, after }]) => before !== after)
    const change = { pages: new Map(touched), name: names && { before: nameBefore, after: name } }
    for (const slug of change.pages.keys()) {
      push(stacks.undo, slug, change)
      stacks.redo.delete(slug)
    }
    return change
  }

  /** Reverts the complete change if it is the newest of every page it touched, otherwise this page only. */
  function revert(kind: 'undo' | 'redo', slug: string): readonly string[] {
    const change = top(kind, slug)
    if (!change) throw new Error(`nothing to ${kind} on ${slug}`)
    const [side, other] = kind === 'undo' ? (['before', 'after'] as const) : (['after', 'before'] as const)
    const isComplete = [...change.pages.keys()].every((each) => top(kind, each) === change)
    const reverted = isComplete ? [...change.pages.keys()] : [slug]
    for (const each of reverted) {
      put(each, change.pages.get(each)?.[side])
      stacks[kind].set(each, (stacks[kind].get(each) ?? []).slice(0, -1))
      push(stacks[kind === 'undo' ? 'redo' : 'undo'], each, change)
    }
    if (isComplete && change.name && name === change.name[other]) name = change.name[side]
    return reverted
  }

  return {
    pages,
    name: () => name,
    apply(edit) {
      return new Set(edit.kind === 'batch' ? applyBatch(edit).pages.keys() : revert(edit.kind, edit.slug))
    },
    can: (kind, slug) => top(kind, slug) !== undefined,
  }
}
