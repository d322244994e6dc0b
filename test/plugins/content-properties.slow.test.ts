import fc from '../helpers/property.ts'
import t from 'tap'
import { applyBatch, readsOf, type BatchSuccess } from '../../plugins/content/batch.ts'
import { violations } from '../../plugins/content/check-props.ts'
import { effectiveItemFields, isContentOwned, isDeclaredList } from '../../plugins/content/fields.ts'
import { rowKey } from '../../plugins/content/items.ts'
import type {
  BatchFailure,
  Block,
  BlockType,
  Draft,
  FieldMeta,
  Fields,
  Manifest,
  Page,
  Props,
  Source,
} from '../../plugins/content/model.ts'
import { enforcedSchema } from '../../plugins/content/operations/enforce.ts'
import type { Operation } from '../../plugins/content/operations/index.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { isPlainObject, sameJson } from '../../plugins/content/plain-object.ts'
import { builtinRegistry as registry } from '../../plugins/content/registry.ts'
import { homeFirst } from '../../plugins/content/slugs.ts'
import {
  batchFor,
  changed,
  contentOf,
  draftOf,
  drafts,
  guarded,
  pageOf,
  pagesOf,
  rowOf,
  siteManifest,
} from '../helpers/content.ts'

interface BatchSetting {
  readonly source: Source
  readonly manifest: Manifest | undefined
  readonly now: Date
}

interface Scene extends BatchSetting {
  readonly draft: Draft
  readonly raw: readonly unknown[]
}

const noon = new Date('2026-05-01T12:00:00.000Z')
const direct: BatchSetting = { source: 'direct', manifest: siteManifest, now: noon }
const settings = fc.record({
  source: fc.constantFrom<Source>('direct', 'direct', 'planner', 'system'),
  manifest: fc.constantFrom(siteManifest, siteManifest, undefined),
  now: fc.constantFrom(noon, noon, new Date('2020-01-01T00:00:00.000Z')),
})
const scenes = (maxLength = 4): fc.Arbitrary<Scene> =>
  drafts.chain((draft) =>
    fc.tuple(settings, batchFor(draft, { maxLength })).map(([setting, raw]) => ({ ...setting, draft, raw })),
  )

/** Defines a test that a property holds for generated values. */
function holds<T>(sentence: string, arbitrary: fc.Arbitrary<T>, predicate: (value: T) => boolean): void {
  t.test(sentence, async (t) => {
    const { failed, seed, counterexample, errorInstance } = fc.check(fc.property(arbitrary, predicate), {
      numRuns: 400,
    })
    t.notOk(failed, sentence, { seed, errorInstance, counterexample: fc.stringify(counterexample) })
  })
}

/** Applies a batch to a draft that throws on undeclared reads. */
function apply({ draft, raw, ...setting }: Scene): BatchSuccess | BatchFailure | undefined {
  const read = parseOperations(raw)
  return read.ok
    ? applyBatch(guarded(draft, readsOf(read.ops)), read.ops, { registry, ...setting })
    : undefined
}

/** The draft and result after a batch, if it applies. */
function after(scene: Scene): { readonly draft: Draft; readonly result: BatchSuccess } | undefined {
  const result = apply(scene)
  return result?.ok ? { draft: changed(scene.draft, result.change), result } : undefined
}

const one = (draft: Draft, op: Props, setting = direct) => after({ draft, raw: [op], ...setting })
const only = (scene: Scene, wanted: RegExp) => ({
  ...scene,
  raw: scene.raw.filter((op) => isPlainObject(op) && wanted.test(String(op['op']))),
})

const blocksOf = (draft: Draft) =>
  pagesOf(draft).flatMap((page) => page.blocks.map((block) => ({ page, block })))
const find = (draft: Draft, slug: string, id: string) =>
  draft.page(slug)?.blocks.find((block) => block.id === id)
const typeOf = (type: string, manifest: Manifest | undefined): BlockType | undefined =>
  manifest?.get(type) ?? registry.get(type)
const rowsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

/** Drafts with one of their blocks. */
const withBlock = (wanted: (block: Block) => boolean = () => true) =>
  drafts
    .map((draft) => ({ draft, found: blocksOf(draft).filter(({ block }) => wanted(block)) }))
    .filter(({ found }) => found.length > 0)
    .chain(({ draft, found }) => fc.constantFrom(...found).map((at) => ({ draft, ...at })))

const listsOf = ({ type, props }: Block) =>
  Object.entries(typeOf(type, siteManifest)?.fields ?? {}).filter(
    ([name, meta]) => isDeclaredList(meta) && Array.isArray(props[name]),
  )

/** Drafts with one of their declared lists, and a row that might be added. */
const withList = withBlock((block) => listsOf(block).length > 0).chain((at) =>
  fc
    .constantFrom(...listsOf(at.block))
    .chain(([listKey, meta]) =>
      rowOf(meta).map((row) => ({ ...at, listKey, meta, row, rows: rowsOf(at.block.props[listKey]) })),
    ),
)

t.test('the generated batches are of every kind, so that the properties below are meaningful', async (t) => {
  const results = fc.sample(scenes(2), { numRuns: 1000, seed: 1 }).map(apply)
  const applied = results.filter((result) => result?.ok === true)
  t.ok(applied.length > 300, `${applied.length} apply`)
  t.same(new Set(applied.flatMap((result) => result.ops.map(({ op }) => op))).size, 16)
  const failed = results.filter((result) => result?.ok === false).map(({ category }) => category)
  t.same([...new Set(failed)].sort(), ['no_effective_change', 'not_found', 'schema_violation'])
  t.ok(results.includes(undefined), 'some do not parse')
  t.ok(applied.some(({ results }) => results.skippedOps.length > 0 && results.appliedCount > 0))
  t.ok(applied.some(({ results }) => results.fuzzyMatches.length > 0))
})

// Batches ----------------------------------------------------------------------------------------------------------

holds('a batch changes neither the draft nor its operations', scenes(), (scene) => {
  const read = parseOperations(scene.raw)
  const before = structuredClone({ pages: pagesOf(scene.draft), raw: scene.raw })
  if (read.ok) applyBatch(frozenDraft(scene.draft), frozen(read.ops), { registry, ...scene })
  return sameJson(before, { pages: pagesOf(scene.draft), raw: scene.raw })
})

holds('a batch that fails has no change, and names the operation that failed', scenes(), (scene) => {
  const result = apply(scene)
  if (!result || result.ok) return true
  return /^ops\[\d+\]/.test(result.message) && !('change' in result) && (result.index ?? 0) < scene.raw.length
})

holds(
  'two consecutive batches give the same draft as one combined batch',
  drafts.chain((draft) =>
    fc.record({
      setting: settings,
      draft: fc.constant(draft),
      first: batchFor(draft, { maxLength: 2 }),
      second: batchFor(draft, { maxLength: 2 }),
    }),
  ),
  ({ setting, draft, first, second }) => {
    const there = after({ ...setting, draft, raw: first })
    const further = there && after({ ...setting, draft: there.draft, raw: second })
    const straight = after({ ...setting, draft, raw: [...first, ...second] })
    return !further || !straight || sameJson(contentOf(further.draft), contentOf(straight.draft))
  },
)

holds('a batch applies with at least one effective operation, or not at all', scenes(), (scene) => {
  const result = apply(scene)
  if (!result?.ok) return true
  const { appliedCount, skippedOps } = result.results
  return (
    appliedCount > 0 &&
    appliedCount + skippedOps.length === scene.raw.length &&
    result.ops.length === scene.raw.length
  )
})

holds('the same draft, batch, manifest and clock give the same result, ids included', scenes(), (scene) =>
  sameJson(toJson(apply(scene)), toJson(apply({ ...scene, raw: structuredClone(scene.raw) }))),
)

holds('pages and blocks that are not named keep their identity', scenes(2), (scene) => {
  const done = after(scene)
  if (!done || done.result.ops.some(({ op }) => op === 'rename_page')) return true
  const named = JSON.stringify(done.result.ops)
  return pagesOf(scene.draft).every((page) => {
    const now = done.draft.page(page.slug)
    if (!named.includes(JSON.stringify(page.slug))) return now === page
    if (now?.id !== page.id) return true
    return page.blocks.every(
      (block) => named.includes(JSON.stringify(block.id)) || now.blocks.includes(block),
    )
  })
})

holds('a changed page is stamped later than before, also when the clock goes back', scenes(), (scene) => {
  const done = after(scene)
  return (
    !done ||
    [...done.result.change.pages.values()].every(
      ({ before, after }) =>
        !after ||
        (after.updatedAt > '2020' &&
          Date.parse(after.updatedAt) > (Date.parse(before?.updatedAt ?? '') || 0)),
    )
  )
})

holds(
  'a batch of only skipped operations fails; next to an effective one they are skipped',
  scenes(5),
  (scene) => {
    const idle = scene.raw.filter((op) => {
      const alone = apply({ ...scene, raw: [op] })
      return alone?.ok === false && alone.category === 'no_effective_change'
    })
    if (idle.length === 0) return true
    const together = apply({ ...scene, raw: idle })
    const helped = apply({ ...scene, raw: [...idle, { op: 'update_site_config', patch: {} }] })
    return (
      together?.ok === false &&
      together.category === 'no_effective_change' &&
      helped?.ok === true &&
      helped.results.skippedOps.length === idle.length &&
      helped.results.appliedCount === 1
    )
  },
)

holds(
  'a parse error is reported with its path in the batch',
  fc.tuple(
    scenes(4),
    fc.nat(),
    fc.constantFrom<(op: Props) => unknown>(
      (op) => ({ ...op, op: 'explode' }),
      () => 7,
      () => null,
      () => [],
      () => ({}),
      (op) => ({ ...op, pageSlug: 5, page: [], patch: 'x' }),
    ),
  ),
  ([scene, place, spoil]) => {
    if (!parseOperations(scene.raw).ok) return true
    const at = place % scene.raw.length
    const read = parseOperations(
      scene.raw.map((op, index) => (index === at && isPlainObject(op) ? spoil(op) : op)),
    )
    return (
      !read.ok &&
      read.message.startsWith(`ops[${at}]`) &&
      read.issues.every(({ path }) => path.startsWith(`ops[${at}]`))
    )
  },
)

function frozenDraft(draft: Draft): Draft {
  frozen([pagesOf(draft), draft.config, draft.order])
  return draft
}

function toJson(result: BatchSuccess | BatchFailure | undefined): unknown {
  return result?.ok ? { ...result, change: { ...result.change, pages: [...result.change.pages] } } : result
}

// Identity and structure -------------------------------------------------------------------------------------------

holds('slugs stay unique, pages are keyed by their slugs, and home is listed first', scenes(), (scene) => {
  const done = after(scene)
  if (!done) return true
  const { order } = done.draft
  return (
    order.every((slug) => done.draft.page(slug)?.slug === slug) &&
    new Set(order).size === order.length &&
    (!order.includes('/') || homeFirst(order)[0] === '/') &&
    [...done.result.change.pages].every(([slug, { after }]) => order.includes(slug) === Boolean(after)) &&
    done.result.change.placed.every((slug) => order.includes(slug))
  )
})

holds('block ids stay unique on a page, and generated ids are new to the draft', scenes(), (scene) => {
  const done = after(scene)
  if (!done) return true
  const used = blocksOf(scene.draft).map(({ block }) => block.id)
  const made = done.result.results.duplicatedPages.flatMap(({ blockIdMap }) => Object.values(blockIdMap))
  scene.raw.forEach((op, index) => {
    const resolved = done.result.ops[index]
    if (resolved?.op === 'duplicate_block' && isPlainObject(op) && !op['newBlockId'])
      made.push(resolved.newBlockId ?? '')
  })
  return (
    pagesOf(done.draft).every(({ blocks }) => new Set(blocks.map(({ id }) => id)).size === blocks.length) &&
    new Set(made).size === made.length &&
    made.every((id) => !used.includes(id))
  )
})

holds('the last page and the home page cannot be removed', scenes(8), (scene) => {
  const removals = only(scene, /_page$/)
  const done = removals.raw.length > 0 ? after(removals) : undefined
  return (
    !done ||
    (done.draft.order.length > 0 && (!scene.draft.order.includes('/') || done.draft.order.includes('/')))
  )
})

const inPages = /_(?:block|props|item|meta|config)$/

holds('pinned blocks keep their number, ids and order', scenes(), (scene) => {
  const done = after(only(scene, inPages))
  const pinned = (page: Page | undefined) =>
    page?.blocks.filter(({ type }) => registry.get(type)?.chrome).map(({ id }) => id)
  return (
    !done || pagesOf(scene.draft).every((page) => sameJson(pinned(page), pinned(done.draft.page(page.slug))))
  )
})

holds('undeclared content survives at every depth', scenes(), (scene) => {
  const done = after(only(scene, inPages))
  return (
    !done ||
    blocksOf(scene.draft).every(({ page, block }) => {
      const now = find(done.draft, page.slug, block.id)
      const kept =
        !now ||
        now.type !== block.type ||
        (sameJson(block['note'], now['note']) && sameJson(block.props['unheardOf'], now.props['unheardOf']))
      return kept && sameJson(page['theme'], done.draft.page(page.slug)?.['theme'])
    })
  )
})

// Operations -------------------------------------------------------------------------------------------------------

holds('a move only permutes blocks, pages and rows', scenes(3), (scene) => {
  const done = after(only(scene, /^move_/))
  if (!done) return true
  const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort()
  const parts = (draft: Draft) =>
    sorted(
      pagesOf(draft).map(({ slug, blocks }) => [
        slug,
        sorted(
          blocks.map(({ props, ...block }) => [
            block,
            Object.entries(props).map(([name, value]) => [
              name,
              Array.isArray(value) ? sorted(value) : value,
            ]),
          ]),
        ),
      ]),
    )
  return sameJson(parts(scene.draft), parts(done.draft))
})

t.test('a row moves to its place, for every index and anchor in lists of up to six rows', async (t) => {
  const at = { pageSlug: '/', blockId: 'b_faq', listKey: 'items' }
  for (let n = 1; n <= 6; n += 1) {
    const letters = 'ABCDEF'.slice(0, n).split('')
    const items = letters.map((q) => ({ id: q, q, a: q }))
    const faq = { id: 'b_faq', type: 'FAQAccordion', props: { title: 'Q', items } }
    const draft = draftOf([pageOf('/', [faq])])
    for (let i = 0; i <= n; i += 1)
      for (const a of [undefined, 0, 1, 2, 3, 4, 5, 6]) {
        const moved = one(draft, { op: 'move_item', ...at, index: i, afterIndex: a ?? null })
        const now = moved && rowsOf(find(moved.draft, '/', 'b_faq')?.props['items']).filter(isPlainObject)
        const legal = i < n && (a === undefined || a < i || (a === i && i < n - 1) || (a > i && a <= n - 1))
        const place = a === undefined ? 0 : a < i ? a + 1 : a === i ? i + 1 : a
        const wanted = letters.toSpliced(i, 1).toSpliced(place, 0, letters[i] ?? '')
        const order = now?.map(({ q }) => q).join('')
        t.equal(order, legal ? wanted.join('') : undefined, `${i} after ${a} of ${n}`)
      }
  }
})

holds('adding a row and removing it again changes nothing', fc.tuple(withList, fc.nat()), ([some, n]) => {
  const { draft, page, block, listKey, row, rows } = some
  const afterIndex = n % (rows.length + 1)
  const inside = afterIndex < rows.length
  const at = { pageSlug: page.slug, blockId: block.id, listKey }
  const added = one(draft, { op: 'add_item', ...at, item: row, ...(inside && { afterIndex }) })
  const removed =
    added && one(added.draft, { op: 'remove_item', ...at, index: inside ? afterIndex + 1 : rows.length })
  return !removed || sameJson(contentOf(removed.draft), contentOf(draft))
})

holds(
  'adding a block and removing it again changes nothing',
  fc.tuple(drafts, withBlock(), settings),
  ([draft, { block }, setting]) => {
    const pageSlug = draft.order[0] ?? '/'
    const added = one(draft, { op: 'add_block', pageSlug, block: { ...block, id: 'b_fresh' } }, setting)
    const removed = added && one(added.draft, { op: 'remove_block', pageSlug, blockId: 'b_fresh' }, setting)
    return !removed || sameJson(contentOf(removed.draft), contentOf(draft))
  },
)

holds(
  'a page copy has the same blocks with new ids, and its source is unchanged',
  fc.tuple(drafts, fc.nat()),
  ([draft, n]) => {
    const slug = draft.order[n % draft.order.length] ?? '/'
    const done = one(draft, { op: 'duplicate_page', pageSlug: slug })
    const [copy] = done?.result.results.duplicatedPages ?? []
    const source = draft.page(slug)
    const made = copy && done?.draft.page(copy.slug)
    if (!done || !copy || !source || !made) return false
    const nameless = ({ blocks }: Page) => blocks.map(({ id: _id, ...block }) => block)
    const ids = source.blocks.map(({ id }) => copy.blockIdMap[id])
    return (
      done.draft.page(slug) === source &&
      sameJson(nameless(source), nameless(made)) &&
      sameJson(
        ids,
        made.blocks.map(({ id }) => id),
      ) &&
      Object.keys(copy.blockIdMap).length === ids.length &&
      new Set(ids).size === ids.length &&
      source.blocks.every(({ id }) => !ids.includes(id))
    )
  },
)

holds(
  'props that are sent back as they were read are skipped',
  fc.tuple(withBlock(), settings, fc.infiniteStream(fc.boolean())),
  ([{ draft, page, block }, setting, coins]) => {
    const type = typeOf(block.type, setting.manifest)
    if (!type) return true
    const allowed = type.propsSchema.properties ?? type.fields
    const chosen = Object.entries(block.props).filter(
      ([name]) => Object.hasOwn(allowed, name) && coins.next().value,
    )
    const patch = structuredClone(Object.fromEntries(chosen))
    const result = apply({
      draft,
      raw: [{ op: 'update_props', pageSlug: page.slug, blockId: block.id, patch }],
      ...setting,
    })
    const undeclared = setting.manifest !== undefined && !setting.manifest.get(block.type)
    return result?.ok === false && (result.category === 'no_effective_change' || undeclared)
  },
)

holds('an update changes only the named props, and adds no defaults', scenes(1), (scene) => {
  const done = after(only(scene, /^update_props$/))
  const [op] = done?.result.ops ?? []
  if (!done || op?.op !== 'update_props') return true
  const before = find(scene.draft, op.pageSlug, op.blockId)?.props ?? {}
  const now = find(done.draft, op.pageSlug, op.blockId)?.props ?? {}
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].every(
    (name) => Object.hasOwn(op.patch, name) || (Object.hasOwn(before, name) && before[name] === now[name]),
  )
})

holds(
  'rows in stored order merge the same way with and without their keys',
  fc.tuple(withList, fc.nat()),
  ([some, n]) => {
    const { draft, page, block, listKey, meta, row, rows } = some
    const keys = rows.map((stored) => (isPlainObject(stored) ? rowKey(stored) : undefined))
    // A shared key matches only the first row.
    if (isContentOwned(meta) || keys.includes(undefined) || new Set(keys).size < keys.length) return true
    const { id: _id, _key, ...fresh } = row
    const incoming = rows
      .filter(isPlainObject)
      .slice(0, 1 + (n % (rows.length || 1)))
      .map(({ id, _key: own, ...stored }, index) => ({
        key: { ...(id === undefined ? {} : { id }), ...(own === undefined ? {} : { _key: own }) },
        fields: index % 2 === 0 ? fresh : stored,
      }))
    const at = { pageSlug: page.slug, blockId: block.id }
    const send = (list: readonly Props[]) =>
      one(draft, { op: 'update_props', ...at, patch: { [listKey]: list } })
    const keyed = send(incoming.map(({ key, fields }) => ({ ...fields, ...key })))
    const positional = send(incoming.map(({ fields }) => fields))
    return sameJson(keyed && contentOf(keyed.draft), positional && contentOf(positional.draft))
  },
)

holds(
  'renaming a page and back restores slugs, order, menu and links',
  fc.tuple(drafts, fc.nat()),
  ([draft, n]) => {
    const slugs = draft.order.filter((slug) => slug.startsWith('/') && slug !== '/')
    const slug = slugs[n % (slugs.length || 1)]
    if (slug === undefined) return true
    const there = one(draft, { op: 'rename_page', pageSlug: slug, newPageSlug: '/somewhere-else' })
    const back =
      there && one(there.draft, { op: 'rename_page', pageSlug: '/somewhere-else', newPageSlug: slug })
    const linked = (some: Draft) => ({
      config: some.config,
      order: some.order,
      blocks: pagesOf(some).map(({ blocks }) => blocks),
    })
    return back !== undefined && sameJson(linked(back.draft), linked(draft))
  },
)

holds(
  'a rename rewrites links once, and leaves links to other pages and images unchanged',
  drafts,
  (draft) => {
    const [from, to] = ['/prices', '/prices/now']
    if (!draft.order.includes(from)) return true
    const done = one(draft, { op: 'rename_page', pageSlug: from, newPageSlug: to })
    if (!done) return false
    const pathOf = (address: string) => address.split(/[?#]/)[0] ?? ''
    const isOther = (address: string) => pathOf(address) !== from && draft.order.includes(pathOf(address))
    const leads = (address: string) => /^\/prices(?:[/?#]|$)/.test(address) && !isOther(address)
    const moved = (address: string) => (leads(address) ? to + address.slice(from.length) : address)
    return blocksOf(draft).every(({ page, block }) => {
      const now = find(done.draft, page.slug === from ? to : page.slug, block.id)?.props ?? {}
      return Object.entries(typeOf(block.type, siteManifest)?.fields ?? {}).every(([name, { kind }]) => {
        const value = block.props[name]
        if (kind === 'url' && typeof value === 'string') return now[name] === moved(value)
        return (kind !== 'image' && kind !== 'imageList') || now[name] === value
      })
    })
  },
)

holds('CMS references never change through updates and merges', scenes(3), (scene) => {
  const done = after(only(scene, /^update_(?:props|item)$/))
  return (
    !done ||
    blocksOf(scene.draft).every(({ page, block }) => {
      const now = find(done.draft, page.slug, block.id)
      return !now || samePointers(block.props, now.props, typeOf(block.type, scene.manifest)?.fields ?? {})
    })
  )
})

holds(
  'a row is added to a polymorphic list if and only if it names its branch',
  fc.tuple(
    withBlock(({ type, props }) => type === 'TeamWall' && Array.isArray(props['rows'])),
    fc.jsonValue({ maxDepth: 1 }),
    fc.boolean(),
  ),
  ([{ draft, page, block }, kind, absent]) => {
    const item = absent ? { name: 'Ada' } : { name: 'Ada', kind }
    const added = one(draft, {
      op: 'add_item',
      pageSlug: page.slug,
      blockId: block.id,
      listKey: 'rows',
      item,
    })
    return Boolean(added) === (!absent && typeof kind === 'string' && kind !== '')
  },
)

holds('an accepted batch adds no violation of an enforced level but empty texts', scenes(1), (scene) => {
  const done = after(scene)
  const [op] = done?.result.ops ?? []
  const scope = op && scopeOf(op)
  if (!done || !op || !scope) return true
  const id = op.op === 'add_block' ? op.block.id : 'blockId' in op ? op.blockId : ''
  const pageSlug = 'pageSlug' in op ? op.pageSlug : ''
  const now = find(done.draft, pageSlug, id)
  const type = now && typeOf(now.type, scene.manifest)
  if (!type) return false
  const levels = scene.manifest?.get(now.type) && scene.source !== 'planner' ? ['A'] : ['A', 'B']
  const found = (props: Props) =>
    violations(enforcedSchema(type), props, '')
      .filter(({ level, path }) => levels.includes(level) && scope.some((start) => path.startsWith(start)))
      .filter(({ level, path }) => level === 'A' || op.op !== 'add_block' || props[path] !== '')
      .map(({ path, message }) => `${path} ${message}`)
  const old = found(find(scene.draft, pageSlug, id)?.props ?? {})
  return found(now.props).every((violation) => op.op !== 'add_block' && old.includes(violation))
})

holds(
  'an existing id never resolves to another block, and a removal is never resolved by type',
  scenes(3),
  (scene) => {
    const done = after(scene)
    if (!done) return true
    const ids = new Set(blocksOf(scene.draft).map(({ page, block }) => `${page.slug} ${block.id}`))
    const removed = done.result.ops.flatMap((op) =>
      op.op === 'remove_block' || op.op === 'remove_item' ? [op.blockId] : [],
    )
    return (
      done.result.results.fuzzyMatches.every(
        ({ requestedId, resolvedId, strategy }) =>
          requestedId !== resolvedId && (strategy !== 'type_prefix' || !removed.includes(resolvedId)),
      ) &&
      (done.result.ops.length > 1 ||
        done.result.ops.every((op, index) => {
          const asked = scene.raw[index]
          const wanted = isPlainObject(asked) ? asked['blockId'] : undefined
          return !('blockId' in op) || !ids.has(`${op.pageSlug} ${wanted}`) || op.blockId === wanted
        }))
    )
  },
)

/** The part of a block that an operation may change. */
function scopeOf(op: Operation): readonly string[] | undefined {
  if (op.op === 'add_block') return ['']
  if (op.op === 'update_props') return Object.keys(op.patch)
  return op.op === 'update_item' ? [`${op.listKey}[${op.index}]`] : undefined
}

function samePointers(before: Props, now: Props, fields: Fields): boolean {
  return Object.entries(fields).every(([name, meta]) => {
    if (meta.kind === 'reference') return sameJson(before[name], now[name])
    return (
      !isDeclaredList(meta) ||
      rowsOf(before[name]).every((row) => sameRowPointers(row, rowsOf(now[name]), meta))
    )
  })
}

/** Rows are matched by key and branch: a row of another branch is a new row with the same key. */
function sameRowPointers(row: unknown, rows: readonly unknown[], meta: FieldMeta): boolean {
  const key = isPlainObject(row) ? rowKey(row) : undefined
  const [heir, ...twins] = rows.filter(isPlainObject).filter((other) => rowKey(other) === key)
  if (!isPlainObject(row) || key === undefined || !heir || twins.length > 0) return true
  const branch = meta.discriminator
  return (
    (branch !== undefined && row[branch] !== heir[branch]) ||
    samePointers(row, heir, effectiveItemFields(meta, row))
  )
}
