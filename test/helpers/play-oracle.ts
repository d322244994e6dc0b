/**
 * What drafts, a site and its publishes have to do, found from the rules alone: each draft has values, and
 * those on which it last agreed with the site.
 */
import {
  type Copy,
  differing,
  halfName,
  isMoved,
  isSame,
  isTree,
  listAt,
  mergeTrees,
  type MergedTree,
  type Open,
  orderName,
  pageAt,
  pagesIn,
  partsOf,
  textAt,
  textOf,
  type Tree,
  type Value,
  valueAt,
  withLastAddresses,
  withMoves,
  type Winner,
  withOthers,
  withPart,
  withUniqueSlugs,
} from './tree.ts'

/** A change of a draft that can be undone: its content before and after. */
export interface UndoableChange {
  readonly before: Tree
  readonly after: Tree
}

/** A draft of the oracle. */
export interface DraftModel {
  now: Tree
  agreed: Tree
  /** What comes in this order, since it was read last. */
  orders: MergedTree['orders']
  /** What it has scheduled, oldest first. */
  pins: readonly (Copy & { readonly id: string })[]
  /** The conflicts that were shown last, by place. */
  shown: ReadonlyMap<string, Open>
  /** Where a person has typed since. */
  typed: Set<string>
  /** What it had before it followed, as copies of it may have that still. */
  readonly behind: Tree[]
  /** The pages that it has changed, newest first. */
  touched: readonly string[]
  /** Whether a run is open, so that it takes nothing over. */
  isHeld: boolean
  /** The result of a decision that was undone, which an undo of that decides again, from what it was then. */
  undecided?: Copy & { readonly from: Copy }
}

/** For so long after a publish, what it has replaced stands for it, in milliseconds. */
const graceMs = 600_000
/** For so long after a publish a deployment is under way. */
const deploymentMs = 600_000

/** An answer of a site. */
export interface Answer {
  readonly content: Tree
  /** Its entries that cannot be read. */
  readonly odd: readonly unknown[]
  /** All of it. */
  readonly text: string
  /**
   * Whether it is compared as a whole: not where the reads until then have found values that are volatile.
   * One that was not found yet is compared so, as only the site knows that it will differ.
   */
  readonly isWhole: () => boolean
}

export interface SiteOptions {
  /** Whether publishes arrive later than they are answered. */
  readonly isBehind: boolean
  readonly now: () => number
  /**
   * Called with what the site has of a page whose address it has given another one since the draft published
   * it.
   */
  readonly displaced: (draft: string, name: string, page: Value | undefined) => void
}

/**
 * What a site means: what was last known of it, and what its answer has changed since. Values that it may
 * show instead have a time until which they do.
 */
export function createMeaning({ isBehind, now, displaced }: SiteOptions) {
  let known: Tree | undefined
  /** The entries that cannot be read, as they are known. */
  let odd: readonly unknown[] = []
  const knownNow = (): Tree => withLastAddresses(known ?? {})
  /** By path, the values that may be shown, and until when; `Infinity` until they are not shown any more. */
  let forms = new Map<string, Map<string, number>>()
  /**
   * What was known before each publish, with what the site has changed since, and until when it may be shown.
   */
  let earlier: readonly { readonly state: Tree; readonly until: number }[] = []
  /** Whole answers that were seen before a publish, and until when they stand for what is known. */
  let former: { readonly text: string; readonly until: number }[] = []
  /**
   * Paths of orders that a publish and the site have both changed while the site shows some of the former
   * one, or not all: what has which place is not known.
   */
  const doubtful = new Set<string>()
  /** Of which draft the newest publish was. */
  let publisher: string | undefined
  /** The answers that were seen, the newest one last, and those that were compared as a whole. */
  let answers: readonly Answer[] = []
  let texts: readonly string[] = []
  const isForm = (at: string, shown: Value | undefined): boolean => {
    if ((forms.get(at)?.get(textOf(shown)) ?? 0) > now()) return true
    // What is in a value that was not there was not there either.
    const around = at.lastIndexOf('|')
    return shown === undefined && around > 0 && isForm(at.slice(0, around), shown)
  }
  const addForm = (at: string, shown: string, until: number): void => {
    const before = forms.get(at) ?? new Map<string, number>()
    forms.set(at, before.set(shown, Math.max(until, before.get(shown) ?? 0)))
  }
  const dropForms = (at: string): void => {
    for (const each of forms.keys()) if (each === at || each.startsWith(`${at}|`)) forms.delete(each)
  }

  function meaningOf(at: string, was: Value | undefined, shown: Value | undefined): Value | undefined {
    if (isSame(was, shown)) {
      const left = [...(forms.get(at) ?? [])].filter(([, until]) => until !== Infinity)
      forms.set(at, new Map(left))
      return shown
    }
    if (isForm(at, shown)) return was
    if (Array.isArray(was) && Array.isArray(shown)) return listIn(at, was, shown)
    if (isTree(was) && isTree(shown) && was['type'] === shown['type']) return meaningIn(at, was, shown)
    // What a publish has added may be missing again, also where the site has put another block in its place.
    const absent = isTree(was) && isTree(shown) ? forms.get(at)?.get(textOf(undefined)) : undefined
    dropForms(at)
    if (absent !== undefined) addForm(at, textOf(undefined), absent)
    return shown
  }
  /**
   * Rows without ids: what has changed of those that may be shown is changed in those that are known, and in
   * what may be shown: each run between rows that stay is a value, and one that the site has not changed has
   * its forms on.
   */
  function listIn(at: string, was: readonly string[], shown: readonly string[]): Value {
    const former = [...(forms.get(at) ?? [])].flatMap(([text, until]) =>
      until > now() && text.startsWith('[') ? [{ rows: JSON.parse(text) as string[], until }] : [],
    )
    const known = former.reduce((list, { rows }) => withRuns(was, rows, list), shown)
    dropForms(at)
    for (const { rows, until } of former) addForm(at, textOf(withRuns(rows, was, known)), until)
    return known
  }
  function meaningIn(at: string, was: Tree, shown: Tree): Tree {
    const names = Object.keys({ ...shown, ...was }).filter((name) => name !== orderName)
    const parts = names.flatMap((name): [string, Value][] => {
      const value = meaningOf(at === '' ? name : `${at}|${name}`, was[name], shown[name])
      return value === undefined ? [] : [[name, value]]
    })
    return {
      ...orderIn(
        at,
        was,
        shown,
        parts.map(([name]) => name),
      ),
      ...Object.fromEntries(parts),
    }
  }
  /** The orders that may be shown now. */
  const ordersOf = (at: string): readonly (readonly string[])[] =>
    [...(forms.get(`${at}|${orderName}`) ?? [])].flatMap(([text, until]) =>
      until > now() && text.startsWith('[') ? [JSON.parse(text) as string[]] : [],
    )
  /** The order of what is there: as it is shown, unless that is the known one, or a form of it. */
  function orderIn(at: string, was: Tree, shown: Tree, names: readonly string[]): Tree {
    const [before, after] = [was[orderName], shown[orderName]]
    if (!Array.isArray(after) || !Array.isArray(before)) return {}
    const isIn = (order: readonly string[], [one, other]: readonly string[]): boolean =>
      order.includes(one ?? '') && order.indexOf(one ?? '') < order.indexOf(other ?? '')
    const both = after.filter((name) => before.includes(name))
    const pairs = both.flatMap((one, index) => both.slice(index + 1).map((other) => [one, other]))
    const turned = pairs.filter((pair) => !isIn(before, pair))
    const ofForms = turned.filter((pair) => ordersOf(at).some((form) => isIn(form, pair)))
    const isKnown = ofForms.length === turned.length
    const isPartial = before.some((name) => names.includes(name) && !after.includes(name))
    // One that is neither known nor a form is moved, but what in it is not known.
    const isShownIn = (form: readonly string[]): boolean =>
      turned.every((pair) => isIn(form, pair)) && pairs.every((pair) => !isIn(form, pair.toReversed()))
    const isOther = turned.length > 0 && !ordersOf(at).some(isShownIn)
    // A form from before an element was added does not say which place that has in it.
    const isWhole =
      turned.length === 0 || ordersOf(at).some((form) => both.every((name) => form.includes(name)))
    if ((isOther && (ofForms.length > 0 || isPartial)) || (isKnown && !isWhole)) doubtful.add(at)
    const list = isKnown ? withOthers(before, after) : withOthers(after, before)
    return { [orderName]: list.filter((name) => names.includes(name)) }
  }

  /** Of two pages at one address, the one that is shown there has it, and the other one is as it is shown. */
  function withOwnSlugs(tree: Tree, shown: Tree): Tree {
    const slugOf = (name: string): string => textAt(shown[name], 'slug')
    const own = new Set<Maybe>(
      pagesIn(tree).flatMap(([name, { slug }]) => (slug === slugOf(name) ? [slug] : [])),
    )
    const [name, page] =
      pagesIn(tree).find(([name, { slug }]) => own.has(slug) && slug !== slugOf(name)) ?? []
    if (name === undefined || !page) return tree
    const next = name in shown ? { ...page, slug: slugOf(name) } : undefined
    if (isBehind && publisher !== undefined) displaced(publisher, name, next)
    return withOwnSlugs(withoutRedirect(withPart(tree, name, next), textAt(next, 'slug')), shown)
  }

  return {
    get known(): Tree {
      return knownNow()
    },
    get odd(): readonly unknown[] {
      return odd
    },
    /**
     * What deployments that are under way, and servers that are behind, may show: what was known before each.
     */
    get mayShow(): readonly Tree[] {
      return earlier.flatMap(({ state, until }) => (until > now() ? [state] : []))
    },
    isDoubtful: (at: string): boolean => doubtful.has(at),
    /** Reads the site. */
    look(shown: Answer): Tree {
      const { text, content } = shown
      const isWhole = shown.isWhole()
      const isFormer = isWhole && former.some((each) => each.text === text && each.until > now())
      answers = [...answers, shown]
      if (isWhole) texts = [...texts, text]
      if (known && isFormer) return knownNow()
      const before = known
      known = before ? withOwnSlugs(meaningIn('', before, content), content) : content
      if (before && !isSame(before, known)) earlier = earlier.map((each) => moved(each, before, knownNow()))
      odd = shown.odd
      return knownNow()
    },
    /** It was sent something, and shows something since. */
    sent(after: Tree, shown: Answer, draft: string): void {
      publisher = draft
      const before = known ?? {}
      const until = now() + (isBehind ? deploymentMs : graceMs)
      // Of a value that it replaces, what was known, what was shown, and the forms from publishes of that time.
      const replaced = [before, answers.at(-1)?.content ?? before].map((state) => ({ state, until }))
      for (const { state, until } of [...replaced, ...earlier])
        for (const at of changedPaths(before, after))
          addForm(at, textOf(valueAt(state, at.replace(/^\|/, ''))), until)
      earlier = [...earlier, { state: before, until }]
      const seen = texts.map((text) => ({ text, until: now() + graceMs }))
      former = [...former, ...seen].filter(({ text }) => text !== shown.text)
      answers = [...answers, shown]
      texts = [...texts, shown.text]
      known = after
      for (const at of changedPaths(after, shown.content))
        addForm(at, textOf(valueAt(shown.content, at.replace(/^\|/, ''))), isBehind ? until : Infinity)
    },
    /** Whether the site has lost so many pages since it was read last that no draft follows it by itself. */
    hasShrunk({ content }: Answer): boolean {
      const before = pagesIn(answers.at(-1)?.content ?? {}).length
      return before >= 4 && pagesIn(content).length < before / 2
    },
    /** A person has confirmed that the site is as it shows itself. */
    confirmed(): void {
      former = []
      if (!isBehind) earlier = []
      for (const [at, each] of forms)
        forms.set(at, new Map([...each].filter(([, until]) => isBehind || until === Infinity)))
    },
    /** Deployments have ended. */
    ended(): void {
      forms = new Map()
      former = []
      earlier = []
    },
  }
}

/**
 * A state of before, with what the site has changed between two later ones. An element that it lacks it lacks
 * on, also where the site has changed something in it.
 */
const moved = <T extends { readonly state: Tree }>(each: T, before: Tree, after: Tree): T => ({
  ...each,
  state: mergeTrees(
    { now: each.state, agreed: before },
    after,
    ({ at, ours }) => (ours === 'none' && isElement(at) ? 'draft' : 'site'),
    false,
  ).now,
})
const isElement = (at: string): boolean => /^page [^|]*$|\|(?:block|row) [^|]*$/.test(at)

/** Rows without ids, with what has changed from one list to another; that wins where both have. */
const withRuns = (
  rows: readonly string[],
  before: readonly string[],
  after: readonly string[],
): readonly string[] =>
  listAt(mergeTrees({ now: { rows }, agreed: { rows: before } }, { rows: after }, () => 'site').now, 'rows')

/** The outermost paths that differ, and the orders in which something has moved. */
function changedPaths(before: Tree, after: Tree, at = ''): readonly string[] {
  return Object.keys({ ...before, ...after }).flatMap((name): readonly string[] => {
    const [was, is] = [before[name], after[name]]
    const path = at === '' && name !== orderName ? name : `${at}|${name}`
    if (isSame(was, is)) return []
    if (name === orderName) return isMoved(listAt(before, name), listAt(after, name)) ? [path] : []
    if (isTree(was) && isTree(is) && was['type'] === is['type']) return changedPaths(was, is, path)
    // A value that was there before may be shown again with all that is in it.
    return [path]
  })
}

/** A tree without the redirect from an address, which a page there ends. */
function withoutRedirect(tree: Tree, from: string): Tree {
  const { $redirects, ...config } = partsOf(tree['config'])
  return withPart(tree, 'config', { ...config, $redirects: withPart(partsOf($redirects), from, undefined) })
}

const bySlug = (tree: Tree, slug: string) => pageAt(tree, slug)

export function createOracle(options: Omit<SiteOptions, 'displaced'>) {
  const drafts = new Map<string, DraftModel>()
  const displaced: SiteOptions['displaced'] = (name, page, value) => {
    const draft = draftAt(name)
    // Its values were agreed on, or the site has changed them.
    const [agreed, slug] = [draft.agreed[page], textAt(value, 'slug')]
    const base = isTree(agreed) && isTree(value) ? withPart(agreed, 'slug', slug) : value
    draft.agreed = withoutRedirect(withPart(draft.agreed, page, base), slug)
  }
  const meaning = createMeaning({ ...options, displaced })
  /** What was sent, oldest first. */
  const published: Tree[] = []
  const draftAt = (name: string): DraftModel => {
    const known = drafts.get(name)
    if (!known) throw new Error(`the draft ${name} is not filled`)
    return known
  }

  /**
   * Lets a draft follow, unless a run is open; returns what it has then. Where it takes nothing over, what
   * both have is agreed on at once.
   */
  const follow = (draft: DraftModel, site: Tree, decided?: (open: Open) => Winner | undefined) => {
    const merged = mergeTrees(draft, site, decided)
    if (draft.isHeld && isSame(draft.now, merged.now)) draft.agreed = merged.agreed
    if (!draft.isHeld) {
      draft.behind.push(changedParts(draft.now, merged.now))
      draft.now = merged.now
      draft.agreed = merged.agreed
      // What an earlier merge has given has an order that is not known yet.
      const isKnown = draft.orders.length === 0
      const orders = isKnown ? merged.orders : merged.orders.filter(({ side }) => side === 'theirs')
      draft.orders = [...draft.orders, ...orders]
    }
    return merged
  }

  /** Whether a conflict is about a value, and was shown with the values that the site has, and had then. */
  const wasShown = (draft: DraftModel, open: Open): boolean => {
    const then = draft.shown.get(open.at)
    // An element that one side lacks, and a page, are decided only by name.
    const isByName = isElement(open.at) || open.at.startsWith('clash ')
    return !isByName && then?.theirs === open.theirs && then.base === open.base
  }

  /**
   * Lets a draft follow, and shows what both have changed; what was typed again after it was shown is
   * decided.
   */
  const show = (draft: DraftModel, site: Tree, isShown = (_open: Open) => true): MergedTree => {
    const seen = draft.shown
    const isDecided = (open: Open): boolean =>
      wasShown(draft, open) && draft.typed.has(listOf(open.at)) && seen.get(open.at)?.ours !== open.ours
    const merged = follow(draft, site, (open) => (isDecided(open) ? 'draft' : undefined))
    draft.shown = new Map(
      merged.open.flatMap((open) => {
        const value = isShown(open) ? open : seen.get(open.at)
        return value ? [[open.at, value] as const] : []
      }),
    )
    for (const at of draft.typed) {
      const [then, now] = [seen, draft.shown].map((each) =>
        [...each.values()].find((open) => open.at.startsWith(at)),
      )
      if (!then || !now || then.ours !== now.ours || then.theirs !== now.theirs) draft.typed.delete(at)
    }
    return merged
  }

  /**
   * A person types values again as they are: that decides the conflicts in them that were shown. Returns
   * whether it has decided any.
   */
  const typeAgain = (draft: DraftModel, paths: readonly string[], read: () => Tree): boolean => {
    const isTyped = (at: string): boolean => paths.includes(listOf(at))
    // The site is read also for a value in a row that was shown.
    const isAround = (at: string): boolean =>
      /\|row [^|]*$/.test(at) && paths.some((path) => path.startsWith(`${at}|`))
    if (![...draft.shown.keys()].some((at) => isTyped(at) || isAround(at))) return false
    const site = read()
    const isDecided = (open: Open): boolean => isTyped(open.at) && wasShown(draft, open)
    if (!follow(draft, site).open.some(isDecided)) return false
    draft.isHeld = false
    follow(draft, site, (open) => (isDecided(open) ? 'draft' : undefined))
    return true
  }

  const send = (sent: Tree): void => void published.push(sent)

  return {
    meaning,
    published,
    draft: draftAt,
    all: () => [...drafts.values()],
    isFilled: (name: string) => drafts.has(name),
    fill(name: string, { content: now }: Answer) {
      drafts.set(name, {
        now,
        agreed: now,
        orders: [],
        pins: [],
        shown: new Map(),
        typed: new Set(),
        behind: [],
        touched: [],
        isHeld: false,
      })
    },
    /** A draft was changed; what a person has typed is chosen, any other change says nothing. */
    put(name: string, after: Tree, isTyped = false) {
      const draft = draftAt(name)
      const paths = differing(draft.now, after)
      const pages = paths.flatMap((at) => (at.startsWith('page ') ? [at.split('|', 1)[0] ?? ''] : []))
      draft.touched = [...new Set([...pages, ...draft.touched])]
      for (const at of paths) {
        // A page that is added is no edit of a value in it.
        const isThere = !at.startsWith('page ') || (at.split('|', 1)[0] ?? '') in draft.now
        if (isTyped && isThere) draft.typed.add(at)
        else draft.typed.delete(at)
      }
      if (!isSame(draft.now, after)) draft.isHeld = false
      draft.now = after
    },
    /**
     * A client pushes a copy. A value on which draft and site agreed, which the site has, shows or may show,
     * or which the draft had before it followed, is that of the copy's time: the draft keeps its own. Any
     * other value is an edit. A page at a former address is the page where the draft has it. What a copy
     * lacks of pages and settings stays.
     */
    push(name: string, copy: Tree, shown: Answer) {
      const draft = draftAt(name)
      follow(draft, meaning.look(shown))
      const { known, mayShow } = meaning
      const states = [draft.agreed, known, shown.content, ...mayShow, ...draft.behind]
      const names = Object.keys(copy).filter((part) => part !== orderName)
      const after = names.reduce<Tree>((now, part) => {
        const own = partsOf(now[part])['slug']
        // A page that the draft lacks, at the address that another page of the copy has there, stays out of it.
        const there = part in now ? undefined : pageAt(draft.now, textAt(copy[part], 'slug'))
        if (there !== undefined && there in copy) return now
        const given = part === 'config' ? { ...partsOf(now[part]), ...partsOf(copy[part]) } : copy[part]
        const pushed = own === undefined ? given : withPart(partsOf(given), 'slug', own)
        const all = states.map((state) => state[part])
        return withPart(now, part, pushedOnto(now[part], pushed, all))
      }, draft.now)
      this.put(name, after)
    },
    typeAgain: (name: string, paths: readonly string[], shown: Answer) =>
      typeAgain(draftAt(name), paths, () => meaning.look(shown)),
    /** Lets a draft follow; returns what both have changed. */
    follow: (name: string, shown: Answer) => follow(draftAt(name), meaning.look(shown)).open,
    diff: (name: string, shown: Answer) => show(draftAt(name), meaning.look(shown)).open,
    decide: (name: string, at: string, take: Winner, shown: Answer) =>
      follow(draftAt(name), meaning.look(shown), (open) => (open.at === at ? take : undefined)).open,
    /** Publishes a draft; returns what is sent, or the conflicts. */
    publish(name: string, overwrite: boolean, shown: Answer) {
      const draft = draftAt(name)
      const site = meaning.look(shown)
      const { open, now: merged } = show(draft, site)
      if (open.length > 0 && !overwrite) return { open } as const
      const now = overwrite ? mergeTrees({ ...draft, now: merged }, site, () => 'draft').now : merged
      if (!draft.isHeld) draft.now = now
      draft.agreed = draft.now
      send(now)
      return { sent: now, open: [] } as const
    },
    /** Whether all pages but one have the same addresses in a draft that has followed as on the site. */
    areOthersInPlace(name: string, named: string, shown: Answer): boolean {
      const site = meaning.look(shown)
      const { now } = mergeTrees(draftAt(name), site)
      const own = pageAt(now, named) ?? pageAt(site, named)
      const names = new Set([...pagesIn(now), ...pagesIn(site)].map(([page]) => page))
      return [...names].every(
        (page) => page === own || textAt(now[page], 'slug') === textAt(site[page], 'slug'),
      )
    },
    /**
     * Publishes one page of a draft, by the slug that it has there before the draft follows. One that is no
     * part by itself is refused without its conflicts.
     */
    publishPart(
      name: string,
      {
        named,
        overwrite,
        isPart,
        siteConfig,
      }: Readonly<Record<'overwrite' | 'isPart' | 'siteConfig', boolean>> & { readonly named: string },
      shown: Answer,
    ) {
      const draft = draftAt(name)
      const site = meaning.look(shown)
      const own = bySlug(draft.now, named)
      const page = own ?? bySlug(site, named) ?? ''
      const { now: after, agreed } = mergeTrees(draft, site)
      const slug = (own && textAt(after[own], 'slug')) || named
      // A page that the draft has removed goes with the one that gets its address on the site.
      const there = pageAt(site, slug)
      const pages = there === undefined || there in after ? [page] : [...new Set([page, there])]
      const addressesOf = (of: string) =>
        [draft.agreed, draft.now, site].map((tree) => textAt(tree[of], 'slug'))
      const slugs = new Set([slug, ...pages.flatMap((of) => addressesIn(of, { agreed, now: after, site }))])
      const isPlaceOf = (open: Open) => (of: string) => {
        const addresses = addressesOf(of)
        const next = pageAt(site, addresses[1] ?? '') === undefined ? addresses[1] : undefined
        const [before, here, there] = placesIn(open, addresses, next)
        const isMoved = addresses[1] !== addresses[2]
        return (
          isMoved &&
          (!isSame(before ?? [], there ?? []) || (!there && here !== undefined && !isSame(here, [])))
        )
      }
      const isOfPart = (open: Open): boolean => {
        const [kind = '', map = '', name = ''] = open.at.split('|')
        if (open.at === `clash ${slug}` || kind !== 'config')
          return open.at === `clash ${slug}` || pages.includes(kind)
        if (siteConfig) return true
        if (map !== 'navGroups') return ['navLabels', '$redirects'].includes(map) && slugs.has(name)
        return pages.some(isPlaceOf(open))
      }
      const all = show(draft, site, (open) => isPart && isOfPart(open)).open
      const open = all.filter(isOfPart)
      const others = all.filter((each) => !isOfPart(each))
      return { page, pages, slug, site, open, others, isRefused: open.length > 0 && !overwrite }
    },
    /** What was sent of pages of a draft, beside conflicts of others. */
    sentPart(
      name: string,
      pages: readonly string[],
      sent: Tree,
      { site: before, open }: { site: Tree; open: readonly Open[] },
    ) {
      const draft = draftAt(name)
      const all = pages.reduce((tree, page) => withPart(tree, page, sent[page]), draft.agreed)
      const agreed = withUniqueSlugs(all, draft.agreed)
      // Of the settings, what the publish has changed is agreed on.
      const isOpen = (at: string) => open.some((each) => each.at === `config|${at}`)
      const paths = differing(before['config'], sent['config']).filter((at) => !isOpen(at))
      const [mine, known] = [partsOf(draft.now['config']), partsOf(draft.agreed['config'])]
      // The draft takes over what it has not changed itself: where a page leads on from.
      const taken = paths.filter((at) => isSame(valueAt(mine, at), valueAt(known, at)))
      const config = taken.reduce((tree, at) => withValueAt(tree, at, valueAt(sent['config'], at)), mine)
      draft.now = withPart(draft.now, 'config', config)
      draft.agreed = withPart(
        agreed,
        'config',
        paths.reduce(
          (config, at) => withValueAt(config, at, valueAt(sent['config'], at)),
          partsOf(agreed['config']),
        ),
      )
      draft.agreed = { ...draft.agreed, ...(sent[orderName] && { [orderName]: sent[orderName] }) }
      // What both have alike is agreed on as well, where an address that was decided allows it now.
      const both = mergeTrees(draft, sent)
      if (isSame(draft.now, both.now)) draft.agreed = both.agreed
      send(sent)
    },
    /** Stores what a draft has changed until now. */
    schedule(name: string, overwrite: boolean, shown: Answer, id: () => string) {
      const draft = draftAt(name)
      const site = meaning.look(shown)
      const { open, now } = show(draft, site)
      if (open.length > 0 && !overwrite) return open
      draft.pins = [...draft.pins, { now: withLastAddresses(now), agreed: site, id: id() }]
      return []
    },
    /** What a scheduled publish of a draft sends; `undefined` if it cannot. */
    dueAt(name: string, which: number, shown: Answer): Tree | undefined {
      const pin = draftAt(name).pins[which]
      const site = meaning.look(shown)
      const publication = pin && mergeTrees(pin, site)
      if (!publication || publication.open.length > 0) return undefined
      send(publication.now)
      return publication.now
    },
    /** What a draft has scheduled was sent to its site as it was then. */
    arrived(name: string, which: number, site: Tree, sent: Tree): void {
      const draft = draftAt(name)
      const pin = draft.pins[which]
      if (!pin) return
      const isOther = (a: Tree, b: Tree) => (open: Open) => {
        const at = open.at.split('#')[0] ?? ''
        return isSame(valueAt(a, at), valueAt(b, at)) ? undefined : ('draft' as const)
      }
      draft.pins = draft.pins.map((each, index) => {
        if (index <= which) return each
        const theirs = mergeTrees({ now: each.agreed, agreed: pin.agreed }, pin.now, () => 'site').now
        return { id: each.id, ...mergeTrees(each, theirs, isOther(pin.agreed, pin.now)) }
      })
      draft.pins = draft.pins.filter(({ id }) => id !== pin.id)
      const read = draft.now
      const { isHeld } = draft
      // It is agreed on at once, which ends the entry of a run in the history where it takes something over.
      draft.isHeld = false
      follow(draft, site)
      draft.agreed = withRemoved(draft, site, sent)
      // Only the second merge says in which order the draft is then; of the draft, only an order that was read is known.
      const isRead = isSame(read, draft.now)
      draft.orders = []
      follow(draft, sent, isOther(site, sent))
      draft.isHeld = isHeld && isSame(read, draft.now)
      if (!isRead) draft.orders = draft.orders.filter(({ side }) => side === 'theirs')
    },
  }
}

/**
 * What a draft has agreed on, with the pages that a publish has added and the draft has removed since: it
 * leads their addresses elsewhere now.
 */
function withRemoved({ now, agreed }: Copy, site: Tree, sent: Tree): Tree {
  const leadOf = ({ config }: Tree, slug: string) => partsOf(partsOf(config)['$redirects'])[slug]
  const removed = pagesIn(sent).filter(([name, page]) => {
    const [here, before] = [now, agreed].map((tree) => leadOf(tree, textAt(page, 'slug')))
    return !(name in site) && !(name in now) && here !== undefined && here !== before
  })
  return removed.reduce((tree, [name, page]) => withPart(tree, name, page), agreed)
}

/**
 * The addresses that come with a page of a part: those that it has, and the one on which both last agreed,
 * unless another page is there.
 */
export function addressesIn(
  page: string,
  { agreed, now, site }: { readonly agreed: Tree; readonly now: Tree; readonly site: Tree },
): readonly string[] {
  const former = textAt(agreed[page], 'slug')
  const isTaken = [now, site].some((tree) => ![page, undefined].includes(pageAt(tree, former)))
  return [...[now, site].map((tree) => textAt(tree[page], 'slug')), ...(isTaken ? [] : [former])]
}

/**
 * The place of a page in a group of the menu, as all sides have it, by its address there, and by one that it
 * gets where no page is; none without the group.
 */
const placesIn = ({ base, ours, theirs }: Open, addresses: readonly string[], next: string | undefined) =>
  [base, ours, theirs].map((text, side) => {
    if (text === 'none') return undefined
    const members = JSON.parse(JSON.parse(text) as string) as readonly string[]
    return members.filter((slug) => slug === addresses[side] || slug === next)
  })

/** The path of a value; the runs of a list are named by what is around them at the time. */
const listOf = (at: string): string => at.split('#', 1)[0] ?? ''
/** An element that both sides have added was agreed on only as long as both have it. */
const agreedOn = (state: Maybe): Maybe => (halfName in partsOf(state) ? undefined : state)
/** What another tree has in place of: pages, and the settings. */
const changedParts = (before: Tree, after: Tree): Tree =>
  Object.fromEntries(Object.entries(before).filter(([name, part]) => !isSame(part, after[name])))

/** A value after another one was pushed that is not that of one of some states. */
function pushedOnto(ours: Maybe, pushed: Maybe, states: readonly Maybe[]): Maybe {
  if (isSame(ours, pushed) || states.some((state) => isSame(agreedOn(state), pushed))) return ours
  if (Array.isArray(ours) && Array.isArray(pushed)) {
    // Rows without ids: what the copy has changed of known ones is changed in those of the draft.
    const lists = states.filter((state) => Array.isArray(state))
    return lists.reduce<Value>((list, rows) => {
      const copy = { now: { rows: ours }, agreed: { rows } }
      return mergeTrees(copy, { rows: list }, () => 'site').now['rows'] ?? list
    }, pushed)
  }
  if (!isTree(ours) || !isTree(pushed) || ours['type'] !== pushed['type']) return pushed
  const names = Object.keys({ ...ours, ...pushed }).filter((name) => name !== orderName)
  return names.reduce<Tree>((tree, name) => {
    const known = states.flatMap((state) => (isTree(state) ? [state[name]] : []))
    return withPart(tree, name, pushedOnto(ours[name], pushed[name], known))
  }, ours)
}
type Maybe = Value | undefined

function withValueAt(tree: Tree, at: string, value: Value | undefined): Tree {
  const [name = '', ...rest] = at.split('|')
  if (rest.length === 0) return withPart(tree, name, value)
  return withPart(tree, name, withValueAt(partsOf(tree[name]), rest.join('|'), value))
}

/**
 * The change that takes another one back: the values of before, where nothing has changed them since. A page
 * that leaves an address leads there from it as after any rename.
 */
export function undone({ now, agreed }: Copy, { before, after }: UndoableChange): MergedTree {
  const merged = mergeTrees({ now, agreed: after }, before, undefined, false)
  const moves = pagesIn(now).flatMap(([name, page]): [string, string][] => {
    const [from, to] = [page, merged.now[name]].map((each) => textAt(each, 'slug'))
    return from && to && from !== to ? [[from, to]] : []
  })
  return {
    ...merged,
    now: withMoves(merged.now, moves, { isKnown: (from) => pageAt(agreed, from) !== undefined }),
  }
}
