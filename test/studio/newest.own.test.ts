/** The stores of the studio outside of a browser: answers arrive in an order that the test decides. */
import t from 'tap'

interface ServiceAnswer {
  readonly status?: number
  readonly body: object
}
const waiting: { readonly answer: (what: ServiceAnswer) => void }[] = []
const storage = { getItem: () => null, setItem: () => undefined }
Object.assign(globalThis, {
  location: new URL('http://studio.test/studio?siteId=acme'),
  sessionStorage: storage,
  localStorage: storage,
  addEventListener: () => undefined,
  document: { querySelector: () => null, head: { append: () => undefined }, createElement: () => ({}) },
  fetch: () =>
    new Promise<Response>((resolve) => {
      const answer = ({ status = 200, body }: ServiceAnswer) => resolve(Response.json(body, { status }))
      waiting.push({ answer })
    }),
})
const { loaded } = await import('../../plugins/studio/app/stores/loaded.ts')
const draft = await import('../../plugins/studio/app/stores/draft.ts')
const { config, loadConfig } = await import('../../plugins/studio/app/stores/site-config.ts')
const { loadSites, sites } = await import('../../plugins/studio/app/stores/site.ts')
const { loadScheduled, scheduled } = await import('../../plugins/studio/app/stores/scheduled.ts')
const { summaryOf } = await import('../../plugins/studio/app/stores/change-summaries.ts')
const { loadBlockTypes, manifest } = await import('../../plugins/studio/app/stores/block-types.ts')

const begun = () => new Promise(setImmediate)
const failed = { status: 500, body: { error: 'down' } }

/** Begins two reads, and answers the later one first. */
async function inReverse(
  read: () => Promise<unknown>,
  older: ServiceAnswer,
  newer: ServiceAnswer,
): Promise<void> {
  waiting.length = 0
  const reads = [read(), read()].map((each) => each.catch(() => undefined))
  await begun()
  waiting[1]?.answer(newer)
  await reads[1]
  waiting[0]?.answer(older)
  await reads[0]
}

t.test('the answer of a read never replaces that of one which began later', async (t) => {
  const page = (title: string) => ({ slug: '/', title, blocks: [] })
  const stores = [
    [draft.loadPages, draft.pages, (title: string) => ({ pages: [page(title)] })],
    [loadSites, sites, (name: string) => ({ sites: [{ id: 'acme', name }] })],
    [loadConfig, config, (name: string) => ({ name })],
    [loadScheduled, scheduled, (id: string) => ({ scheduled: [{ id, session: 'dev' }] })],
    [loadBlockTypes, manifest, (type: string) => ({ version: 1, blocks: [{ type }] })],
    [() => draft.openPage('/'), draft.page, page],
  ] as const
  for (const [load, store, body] of stores) {
    const shown = () => JSON.stringify(store.value)
    await inReverse(load, { body: body('older') }, { body: body('newer') })
    t.match(shown(), 'newer')
    await inReverse(load, { body: body('only') }, failed)
    t.match(shown(), 'only', 'a later one that fails replaces nothing')
    await inReverse(load, failed, { body: body('answered') })
    t.match(shown(), 'answered')
  }
  const opened = draft.openPage('/')
  await begun()
  draft.leavePage()
  waiting.at(-1)?.answer({ body: page('Before its removal') })
  await opened
  t.equal(draft.page.value, undefined)
})

t.test('what is loaded says why the last read failed, and keeps its value', async (t) => {
  const reads: PromiseWithResolvers<number>[] = []
  const { value, failure, load } = loaded(() => {
    reads.push(Promise.withResolvers<number>())
    return reads.at(-1)?.promise ?? Promise.reject(new Error('none'))
  })
  const begin = () => {
    const done = load()
    return { done, ...(reads.at(-1) ?? Promise.withResolvers<number>()) }
  }
  const [first, second, third] = [begin(), begin(), begin()]
  second.resolve(2)
  await second.done
  first.reject(new Error('late'))
  await first.done
  t.strictSame([value.value, failure.value], [2, undefined], 'the failure of an older read says nothing')
  third.reject(new Error('down'))
  await third.done
  t.match([value.value, failure.value], [2, /\w/])
  const [fourth, fifth] = [begin(), begin()]
  fifth.reject(new Error('down'))
  await fifth.done
  fourth.resolve(4)
  await fourth.done
  t.match([value.value, failure.value], [4, /\w/], 'the newest answer, and why it is not of now')
})

t.test('a line of the log is shown by its source and label, and one of an earlier version as it is', (t) => {
  const label = 'Heading of Hero on page "Home" changed'
  const shown = 'Heading of Hero on page “Home” changed'
  const back = 'Page put back as it was after “Heading of Hero on page ‘Home’ changed”'
  const rows = [
    [{ source: 'direct', summary: label }, shown],
    [{ source: 'undo', summary: 'Undo of x', label }, `Undone: ${shown}`],
    [{ source: 'redo', summary: 'Redo of x', label, slugs: ['/about'] }, `Redone on /about: ${shown}`],
    [{ source: 'restore', summary: 'Restored version 2: x', label, restored: 2 }, back],
    [{ source: 'undo', summary: 'Undo of restored version 2: x', label, restored: 2 }, `Undone: ${back}`],
    [{ source: 'undo', summary: 'Undo of heading "A" changed' }, 'Undo of heading “A” changed'],
  ] as const
  for (const [entry, expected] of rows) t.equal(summaryOf(entry), expected)
  t.end()
})
