/**
 * The content of a site as a tree of values, and the merge of three of them, found from the rules of merges
 * alone: a value that one side has changed wins, and one that both have changed is a conflict. `#order` is
 * the order of an element's parts.
 */
import type { Page, SiteConfig } from '../../plugins/content/page.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'

export interface Tree {
  readonly [name: string]: Value
}
/** A list is one of texts: the rows without ids, in alphabetical order. */
export type Value = string | readonly string[] | Tree
type Maybe = Value | undefined

export const orderName = '#order'
/**
 * A mark of an element that both sides have added, in what they agree on, while they do not agree on all of
 * it.
 */
export const halfName = '#half'
export const isTree = (value: unknown): value is Tree => isPlainObject(value)
const isList = (value: Maybe): value is readonly string[] => Array.isArray(value)
export const partsOf = (value: Maybe): Tree => (isTree(value) ? value : {})
export const listAt = (value: Maybe, name: string): readonly string[] => {
  const list = partsOf(value)[name]
  return isList(list) ? list : []
}
export const textAt = (value: Maybe, name: string): string => String(partsOf(value)[name] ?? '')

const texts = new WeakMap<object, string>()
/** The same text for equal values. */
export function textOf(value: Maybe): string {
  if (!isTree(value)) return JSON.stringify(value) ?? 'none'
  const known = texts.get(value)
  if (known !== undefined) return known
  const names = Object.keys(value).toSorted()
  const text = `{${names.map((name) => `${name}:${textOf(value[name])}`).join(',')}}`
  texts.set(value, text)
  return text
}
export const isSame = (a: Maybe, b: Maybe): boolean => a === b || textOf(a) === textOf(b)

export const withPart = (tree: Tree, name: string, value: Maybe): Tree => {
  const { [name]: _, ...others } = tree
  return value === undefined ? others : { ...others, [name]: value }
}

const unordered = new WeakMap<Tree, Tree>()
/** A value without orders, as they are not always known. */
export function withoutOrders(value: Value): Value {
  if (!isTree(value)) return value
  const known = unordered.get(value)
  if (known) return known
  const parts = Object.entries(value).filter(([name]) => name !== orderName)
  const tree = Object.fromEntries(parts.map(([name, part]) => [name, withoutOrders(part)]))
  unordered.set(value, tree)
  return tree
}

/**
 * A tree with each redirect to the address where it leads in the end, without those from where there is a
 * page, and those that lead round in a circle.
 */
export function withLastAddresses(tree: Tree): Tree {
  const { $redirects, ...config } = partsOf(tree['config'])
  const slugs = new Set(pagesIn(tree).map(([, page]) => page['slug']))
  const redirects = new Map(Object.entries(partsOf($redirects)).filter(([from]) => !slugs.has(from)))
  const lastOf = (to: Value, passed: readonly Value[]): Value | undefined => {
    if (passed.includes(to)) return undefined
    const next = redirects.get(String(to))
    return next === undefined ? to : lastOf(next, [...passed, to])
  }
  const last = [...redirects].flatMap(([from, to]) => {
    const end = lastOf(to, [from])
    return end === undefined ? [] : [[from, end] as const]
  })
  return { ...tree, config: { ...config, $redirects: Object.fromEntries(last) } }
}

/** The value at a path. */
export const valueAt = (value: Maybe, path: string): Maybe =>
  path.split('|').reduce<Maybe>((at, name) => partsOf(at)[name], value)

/** The paths of all values that differ, with those of the elements around them that one side lacks. */
export function differing(before: Maybe, after: Maybe, path = ''): readonly string[] {
  if (isSame(before, after)) return []
  const own = path === '' || (isTree(before) && isTree(after)) ? [] : [path]
  const names = Object.keys({ ...partsOf(before), ...partsOf(after) }).filter((name) => name !== orderName)
  return [
    ...own,
    ...names.flatMap((name) =>
      differing(partsOf(before)[name], partsOf(after)[name], path === '' ? name : `${path}|${name}`),
    ),
  ]
}

// ---- content as a tree

/** The type of the block that a site lists without a type, so that it cannot be read. */
export const shut = 'Shut'
export const isBare = (id: string): boolean => id.startsWith('bare')

/** An address that may be signed anew at every read. */
export const signedAddress = '/e.png?'
const scalar = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.startsWith(signedAddress) ? signedAddress : text
}

function elements(names: readonly (readonly [string, Value])[]): Tree {
  return { [orderName]: names.map(([name]) => name), ...Object.fromEntries(names) }
}

function rowsOf(id: string, rows: readonly unknown[]): Value {
  const all = rows.map((row) => (isPlainObject(row) ? row : {}))
  if (isBare(id)) return all.map(({ q }) => scalar(q))
  return elements(
    all.map(({ id: key, ...row }) => [
      `row ${scalar(key)}`,
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, scalar(value)])),
    ]),
  )
}

function blockOf({ id, type, props, ...others }: Page['blocks'][number]): Value {
  const { raw } = isPlainObject(others['unreadable']) ? others['unreadable'] : {}
  if (isPlainObject(raw) && isPlainObject(raw['props'])) return scalar(raw['props']['own'])
  if (type === shut) return scalar(props['own'])
  const values = Object.entries(props).flatMap(([name, value]): [string, Value][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? rowsOf(id, value) : scalar(value)]],
  )
  return { type, ...Object.fromEntries(values) }
}

const mapOf = (name: string, value: unknown): Tree => {
  const entries = Object.entries(isPlainObject(value) ? value : {}).filter(([, each]) => each !== '')
  return { [name]: Object.fromEntries(entries.map(([key, each]) => [key, scalar(each)])) }
}

const pageTrees = new WeakMap<Page, Tree>()
function pageTree(page: Page): Tree {
  const known = pageTrees.get(page)
  if (known) return known
  const { slug, title, meta, blocks } = page
  const parts = elements(blocks.map((block) => [`block ${block.id}`, blockOf(block)]))
  const tree = { slug, title, ...mapOf('meta', meta), ...parts }
  pageTrees.set(page, tree)
  return tree
}

const maps = ['navLabels', 'navGroups', '$redirects']
/** The settings that are merged by their own keys. */
function configTree(config: SiteConfig): Tree {
  const values = Object.entries(config).flatMap(([name, value]): [string, Value][] =>
    maps.includes(name) || value === undefined ? [] : [[name, scalar(value)]],
  )
  return Object.assign(Object.fromEntries(values), ...maps.map((name) => mapOf(name, config[name])))
}

/** The tree of a site; `nameOf` says which page a page is, whatever its slug. */
export function treeOf(pages: readonly Page[], config: SiteConfig, nameOf: (page: Page) => string): Tree {
  const named = pages.map((page): [string, Tree] => [`page ${nameOf(page)}`, pageTree(page)])
  return { ...elements(named), config: configTree(config) }
}
export const pagesIn = (tree: Tree): readonly (readonly [string, Tree])[] =>
  Object.entries(tree).flatMap(([name, page]) =>
    name.startsWith('page ') && isTree(page) ? [[name, page] as const] : [],
  )
export const pageAt = (tree: Tree, slug: string): string | undefined =>
  pagesIn(tree).find(([, page]) => page['slug'] === slug)?.[0]

// ---- the merge

export type Winner = 'draft' | 'site'
/** What both sides have changed. */
export interface Open {
  readonly at: string
  readonly base: string
  readonly ours: string
  readonly theirs: string
}
export interface Copy {
  readonly now: Tree
  /** What it last agreed on with the site. */
  readonly agreed: Tree
}
interface Order {
  readonly at: string
  readonly side: 'ours' | 'theirs'
  readonly wanted: readonly string[]
}
export interface MergedTree extends Copy {
  readonly open: readonly Open[]
  /** What comes in this order afterwards, as far as it is there, by the path of its parent. */
  readonly orders: readonly Order[]
}
interface TreeMergeState {
  readonly decided: (open: Open) => Winner | undefined
  readonly open: Open[]
  readonly orders: Order[]
}
interface Both {
  readonly now: Maybe
  readonly agreed: Maybe
}

const isMap = (at: string): boolean => /^config\|(?:nav|\$)[^|]*$|^page [^|]*\|meta$/.test(at)
const typeOf = (value: Maybe) => partsOf(value)['type']

function decide(at: string, [base, ours, theirs]: readonly Maybe[], context: TreeMergeState): Both {
  const open = { at, base: textOf(base), ours: textOf(ours), theirs: textOf(theirs) }
  const winner = context.decided(open)
  if (!winner) context.open.push(open)
  return winner ? { now: winner === 'site' ? theirs : ours, agreed: theirs } : { now: ours, agreed: base }
}

function mergeValue(at: string, sides: readonly Maybe[], context: TreeMergeState): Both {
  const [base, ours, theirs] = sides
  if (isMap(at)) return mergeParts(at, sides.map(partsOf), context)
  if (isSame(ours, theirs)) return { now: ours, agreed: theirs }
  if (isSame(base, ours)) return { now: theirs, agreed: theirs }
  if (isSame(base, theirs)) return { now: ours, agreed: base }
  if (isList(ours) && isList(theirs)) return mergeRuns(at, [isList(base) ? base : [], ours, theirs], context)
  // What both have added and not agreed on, one of them has again not added if it is gone there.
  const agreed = halfName in partsOf(base) ? undefined : base
  if (isTree(ours) && isTree(theirs)) {
    const types = new Set([ours, theirs, base ?? ours].map(typeOf))
    if (types.size === 1) {
      const before = context.open.length
      const merged = mergeParts(at, sides.map(partsOf), context)
      const isHalf = !agreed && context.open.length > before
      return { now: merged.now, agreed: withPart(merged.agreed, halfName, isHalf ? 'yes' : undefined) }
    }
  }
  if (isSame(agreed, theirs)) return { now: ours, agreed: base }
  if (isSame(agreed, ours)) return { now: theirs, agreed: theirs }
  return decide(at, [base, ours, theirs], context)
}

function mergeParts(
  at: string,
  sides: readonly Tree[],
  context: TreeMergeState,
): { now: Tree; agreed: Tree } {
  const [now, agreed]: Record<string, Value>[] = [{}, {}]
  for (const name of Object.keys(Object.assign({}, ...sides))) {
    if (name === orderName || name === halfName) continue
    const merged = mergeValue(
      at === '' ? name : `${at}|${name}`,
      sides.map((side) => side[name]),
      context,
    )
    if (merged.now !== undefined) now![name] = merged.now
    if (merged.agreed !== undefined) agreed![name] = merged.agreed
  }
  if (sides.some((side) => orderName in side)) mergeOrder(at, sides, context, { now: now!, agreed: agreed! })
  return { now: now!, agreed: agreed! }
}

/** A list with what only another one has, each behind the one that it has before it. */
export const withOthers = (list: readonly string[], others: readonly string[]): readonly string[] =>
  others.reduce<readonly string[]>((all, name, index) => {
    if (all.includes(name)) return all
    return all.toSpliced(all.indexOf(others[index - 1] ?? '') + 1, 0, name)
  }, list)

/** Whether some of two lists come in another order. */
export function isMoved(before: readonly string[], after: readonly string[]): boolean {
  const stay = before.filter((name) => after.includes(name))
  return after.filter((name) => before.includes(name)).some((name, index) => name !== stay[index])
}

/** What one side has moved is moved; of what both have moved, only the draft's place is known. */
function mergeOrder(
  at: string,
  sides: readonly Tree[],
  { orders }: TreeMergeState,
  merged: { now: Record<string, Value>; agreed: Record<string, Value> },
): void {
  const [former = [], ours = [], theirs = []] = sides.map((side) => listAt(side, orderName))
  const isAgreed = (name: string): boolean =>
    name in partsOf(sides[0]) && !(halfName in partsOf(sides[0]?.[name]))
  const base = former.filter(isAgreed)
  // What both have added has a place on both sides.
  const isKnown = (name: string): boolean =>
    base.includes(name) || !(ours.includes(name) && theirs.includes(name))
  // What comes behind that on the site has no place without it.
  const isLed = (name: string | undefined): boolean =>
    name !== undefined && !base.includes(name) && (!isKnown(name) || isLed(theirs[theirs.indexOf(name) - 1]))
  if (!isMoved(base, ours)) orders.push({ at, side: 'theirs', wanted: theirs.filter((name) => !isLed(name)) })
  if (!isMoved(base, theirs)) orders.push({ at, side: 'ours', wanted: ours.filter(isKnown) })
  const all = isMoved(base, ours) ? withOthers(ours, theirs) : withOthers(theirs, ours)
  merged.now[orderName] = all.filter((name) => name in merged.now)
  merged.agreed[orderName] = theirs
}

/** Rows without ids: between those that all three have, a run is one value. */
function mergeRuns(at: string, sides: readonly (readonly string[])[], context: TreeMergeState): Both {
  const [base = [], ours = [], theirs = []] = sides
  const stay = base.filter((row) => ours.includes(row) && theirs.includes(row))
  const runsOf = (rows: readonly string[]) => {
    const ends = [...stay.map((row) => rows.indexOf(row)), rows.length]
    return ends.map((end, index) => rows.slice((ends[index - 1] ?? -1) + 1, end))
  }
  const runs = sides.map(runsOf)
  const done = [...stay, undefined].map((_, index): Both => {
    const three = runs.map((each) => each[index] ?? [])
    const [was, here, there] = three
    if (isSame(here, there) || isSame(was, here)) return { now: there, agreed: there }
    if (isSame(was, there)) return { now: here, agreed: was }
    return decide(`${at}#${textOf(was)}${textOf(there)}`, three, context)
  })
  const joined = (side: keyof Both) =>
    done.flatMap((run, index) => {
      const [rows, row] = [run[side], stay[index]]
      return [...(isList(rows) ? rows : []), ...(row === undefined ? [] : [row])]
    })
  return { now: joined('now'), agreed: joined('agreed') }
}

/** Lets a copy take over what it has not changed; menus are merged by pages, or else by addresses alone. */
export function mergeTrees(
  copy: Copy,
  site: Tree,
  decided: TreeMergeState['decided'] = () => undefined,
  isByPage = true,
): MergedTree {
  const context: TreeMergeState = { decided, open: [], orders: [] }
  const sides = [copy.agreed, copy.now, site]
  const pages = sides.map((side) => withPart(side, 'config', undefined))
  const { now, agreed } = settleClashes(sides, mergeParts('', pages, context), context)
  const slugs = pagesIn(now).map(([, page]) => textAt(page, 'slug'))
  const configs = isByPage ? menusAt(sides, now) : sides.map((side) => partsOf(side['config']))
  const config = mergeParts(
    'config',
    configs.map((each) => withoutHidden(each, slugs)),
    context,
  )
  const moves = pagesIn(now).flatMap(([name, page]): [string, string][] => {
    const [was, from] = [copy.agreed, agreed].map((tree) => textAt(tree[name], 'slug'))
    return from && from !== was ? [[from, textAt(page, 'slug')]] : []
  })
  const [own, both] = [config.now, config.agreed].map((each) => partsOf(each['$redirects']))
  return {
    now: withMoves({ ...now, config: config.now }, moves, {
      isOther: (from) => own?.[from] !== both?.[from],
    }),
    agreed: { ...agreed, config: config.agreed },
    open: context.open,
    orders: context.orders,
  }
}

const addressOn = (tree: Tree, name: string | undefined): string | undefined =>
  (name !== undefined && textAt(tree[name], 'slug')) || undefined

const withSlugs = (list: Maybe, slugs: ReadonlyMap<string, string>): string =>
  JSON.stringify((JSON.parse(String(list ?? '[]')) as string[]).map((slug) => slugs.get(slug) ?? slug))

/**
 * The settings of base, draft and site, with the menu entries of a page that gets the address of the site there.
 * An entry that the site has left where it has moved a page from is as it was: of the former address, and what
 * the draft has made of it is an entry of the page.
 */
function menusAt(sides: readonly Tree[], now: Tree): readonly Tree[] {
  const [was = {}, own = {}, site = {}] = sides
  const followed = pagesIn(now).flatMap(([name, { slug: to }]) => {
    const [from, here] = [was, own].map((tree) => addressOn(tree, name) ?? '')
    return here === '' || here === to ? [] : [{ from: from ?? '', here: here ?? '', to: String(to) }]
  })
  const [base = {}, ours = {}, theirs = {}] = sides.map((side) => partsOf(side['config']))
  const [known = {}, mine = {}, there = {}] = [base, ours, theirs].map((side) => partsOf(side['navLabels']))
  const isFree = (from: string): boolean => pageAt(site, from) === undefined
  const entries = followed.map((page) => {
    const [before, label, left] = [known[page.from], mine[page.here], there[page.from]]
    const isLeft = before !== undefined && isFree(page.from) && !(page.to in there) && isSame(before, left)
    return { ...page, before, label, isLeft, stays: isLeft && (label === undefined || isSame(label, before)) }
  })
  const moved = entries.filter(({ stays }) => !stays)
  const labels = [known, mine].map((map, side) => {
    const without = moved.reduce(
      (rest, page) => withPart(rest, side === 0 ? page.from : page.here, undefined),
      map,
    )
    const back = moved.reduce(
      (all, { from, before, isLeft }) => (isLeft ? withPart(all, from, before) : all),
      without,
    )
    return moved.reduce((all, { to, before, label, isLeft }) => {
      const value = side === 1 ? label : isLeft ? undefined : before
      return value === undefined ? all : withPart(all, to, value)
    }, back)
  })
  const slugs = (key: 'from' | 'here', pages = followed) => new Map(pages.map((page) => [page[key], page.to]))
  const left = slugs(
    'from',
    followed.filter(({ from }) => isFree(from)),
  )
  const groups = [base, ours].map((side) => partsOf(side['navGroups']))
  const [agreed = {}, drafted = {}] = groups.map((map, side) =>
    Object.fromEntries(
      Object.entries(map).map(([group, list]) => [
        group,
        withSlugs(list, slugs(side === 0 ? 'from' : 'here')),
      ]),
    ),
  )
  const same = Object.entries(partsOf(theirs['navGroups'])).filter(
    ([group, list]) => withSlugs(list, left) === agreed[group],
  )
  const unchanged = same.filter(([group]) => drafted[group] === agreed[group])
  return [
    { ...base, navLabels: labels[0]!, navGroups: { ...agreed, ...Object.fromEntries(same) } },
    { ...ours, navLabels: labels[1]!, navGroups: { ...drafted, ...Object.fromEntries(unchanged) } },
    theirs,
  ]
}

/**
 * A page that was moved leads from its former address if visitors know that, unless another page is there;
 * what led to it follows, but for what leads to the one that is there now.
 */
export function withMoves(
  tree: Tree,
  moves: readonly (readonly [from: string, to: string])[],
  { isKnown = () => true, isOther = () => false }: MoveRules = {},
): Tree {
  const { $redirects, ...config } = partsOf(tree['config'])
  const targets = new Map<Value, string>(moves)
  const followed = Object.entries(partsOf($redirects)).map(([from, to]): [string, Value] => [
    from,
    isOther(from) ? to : (targets.get(to) ?? to),
  ])
  const left = moves.filter(([from]) => pageAt(tree, from) === undefined && isKnown(from))
  return { ...tree, config: { ...config, $redirects: Object.fromEntries([...followed, ...left]) } }
}
interface MoveRules {
  readonly isKnown?: (from: string) => boolean
  readonly isOther?: (from: string) => boolean
}

/** A page at an address ends its redirect: then no side has one there. */
const withoutHidden = (config: Tree, slugs: readonly string[]): Tree => ({
  ...config,
  $redirects: slugs.reduce(
    (redirects, slug) => withPart(redirects, slug, undefined),
    partsOf(config['$redirects']),
  ),
})

/**
 * Of two pages that would be agreed on at one slug, the one that has come there is agreed on as before, unless
 * that was decided.
 */
export function withUniqueSlugs(
  agreed: Tree,
  base: Tree,
  isDecided: (name: string) => boolean = () => false,
): Tree {
  const isAt = (tree: Tree, name: string, slug: Maybe) => partsOf(tree[name])['slug'] === slug
  const come = pagesIn(agreed).find(
    ([name, { slug }]) =>
      !isAt(base, name, slug) &&
      !isDecided(name) &&
      pagesIn(agreed).some(([other]) => other !== name && isAt(agreed, other, slug)),
  )
  return come ? withUniqueSlugs(withPart(agreed, come[0], base[come[0]]), base, isDecided) : agreed
}

/**
 * Of two pages that come to one slug, the one that has it in the draft stays, and the other one where the
 * draft has it.
 */
function settleClashes(sides: readonly Tree[], merged: Copy, context: TreeMergeState): Copy {
  const [base = {}, ours = {}, theirs = {}] = sides
  let { now, agreed } = merged
  const others = [...context.open]
  /** Those that have yielded: one is where the draft has it then, and cannot yield its address to the site. */
  const yielded = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const pages = pagesIn(now)
    const slugOf = (name: string) => textAt(now[name], 'slug')
    const first = pages.find(([name, { slug }]) =>
      pages.some(([other, each]) => other !== name && each['slug'] === slug),
    )
    const chosenOf = (name: string): Winner | undefined => {
      const [before = '', own = '', other = ''] = sides.map((tree) => textOf(partsOf(tree[name])['slug']))
      const isBoth = own !== other && before !== own && before !== other
      return isBoth
        ? context.decided({ at: `${name}|slug`, base: before, ours: own, theirs: other })
        : undefined
    }
    const isDecided = (name: string): boolean => chosenOf(name) !== undefined
    if (!first) return { now, agreed: withUniqueSlugs(agreed, base, isDecided) }
    const slug = slugOf(first[0])
    const both = pages.filter(([, page]) => page['slug'] === slug).map(([name]) => name)
    const here = both.find((name) => textAt(ours[name], 'slug') === slug) ?? both[0] ?? ''
    const there = both.find((name) => name !== here) ?? ''
    // A page in conflict leaves its address to one that was given it; one that keeps its own leaves the other.
    const isOpen = context.open.some(({ at }) => at === `${here}|slug`)
    const isLeft = textAt(ours[there], 'slug') === textAt(theirs[here], 'slug')
    const isSwap = isLeft && chosenOf(here) === 'draft'
    const chosen = isOpen && chosenOf(there) === 'site' ? 'site' : isSwap ? 'draft' : undefined
    const decided = (open: Open): Winner | undefined => chosen ?? context.decided(open)
    const clash = [undefined, ours[here], theirs[there]]
    const done = decide(`clash ${slug}`, clash, { ...context, decided })
    const isSite = done.agreed !== undefined && done.now !== ours[here]
    if (isSite && yielded.has(here)) {
      const decided: TreeMergeState['decided'] = (open) =>
        open.at === `clash ${slug}` ? undefined : context.decided(open)
      context.open.splice(0, Infinity, ...others)
      return settleClashes(sides, merged, { ...context, decided })
    }
    const yields = isSite ? here : there
    yielded.add(yields)
    // It has the slug of the site then.
    const settled = context.open.findIndex(({ at }) => isSite && at === `${yields}|slug`)
    if (settled >= 0) context.open.splice(settled, 1)
    const to = (isSite ? theirs : ours)[yields]
    const before = (done.agreed === undefined ? base : theirs)[yields]
    // What both had added is not agreed on where one of them lacks it again.
    const known = to === undefined && halfName in partsOf(before) ? undefined : before
    now = withPart(now, yields, to && { ...partsOf(now[yields]), slug: textAt(to, 'slug') })
    agreed = withPart(agreed, yields, known && { ...partsOf(agreed[yields]), slug: textAt(known, 'slug') })
  }
  throw new Error('pages keep coming to one slug')
}
