/** What a draft has to look like after a series of changes, worked out in the simplest way there is. */

/** A page as far as the proofs change it. */
export interface ModelPage {
  /** A text that is unlike that of every other change. */
  readonly marker: string
  /** The slug that it links to. */
  readonly link: string
}

/** A change that an editor asks for. The parts of a batch happen in this order, all or none. */
export type Edit =
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
  /** Applies a change and gives the slugs that it touches. */
  apply(edit: Edit): ReadonlySet<string>
  can(kind: 'undo' | 'redo', slug: string): boolean
}

interface Sides<T> {
  readonly before: T | undefined
  readonly after: T | undefined
}

interface Change {
  readonly pages: ReadonlyMap<string, Sides<ModelPage>>
  readonly name: Sides<string> | undefined
}

type Batch = Extract<Edit, { kind: 'batch' }>
type Stacks = Map<string, readonly Change[]>

const depth = 50
const linkOfNewPages = '/'

/** Makes the model of a draft whose pages were just brought in, which no undo takes away again. */
export function createDraftModel(initial: ReadonlyMap<string, ModelPage>): DraftModel {
  const pages = new Map(initial)
  const stacks = { undo: new Map() as Stacks, redo: new Map() as Stacks }
  let name: string | undefined

  const top = (kind: 'undo' | 'redo', slug: string): Change | undefined => stacks[kind].get(slug)?.at(-1)
  const push = (stack: Stacks, slug: string, change: Change): void =>
    void stack.set(slug, [...(stack.get(slug) ?? []), change].slice(-depth))

  function put(slug: string, page: ModelPage | undefined): void {
    if (page) pages.set(slug, page)
    else pages.delete(slug)
  }

  function applyBatch({ marker, moves, removes, creates, marks, names }: Batch): Change {
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
      if (!page) throw new Error(`there is no page ${slug} to change`)
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

  /** The whole change goes back when it is the newest of every page it touched, otherwise that page alone. */
  function takeBack(kind: 'undo' | 'redo', slug: string): readonly string[] {
    const change = top(kind, slug)
    if (!change) throw new Error(`there is nothing to ${kind} on ${slug}`)
    const [side, other] = kind === 'undo' ? (['before', 'after'] as const) : (['after', 'before'] as const)
    const whole = [...change.pages.keys()].every((each) => top(kind, each) === change)
    const back = whole ? [...change.pages.keys()] : [slug]
    for (const each of back) {
      put(each, change.pages.get(each)?.[side])
      stacks[kind].set(each, (stacks[kind].get(each) ?? []).slice(0, -1))
      push(stacks[kind === 'undo' ? 'redo' : 'undo'], each, change)
    }
    if (whole && change.name && name === change.name[other]) name = change.name[side]
    return back
  }

  return {
    pages,
    name: () => name,
    apply(edit) {
      return new Set(edit.kind === 'batch' ? applyBatch(edit).pages.keys() : takeBack(edit.kind, edit.slug))
    },
    can: (kind, slug) => top(kind, slug) !== undefined,
  }
}
