import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { createSiteEditor } from '../../config/site.ts'
import { contentAdapterContract } from '../../config/testing.ts'
import { capturedLog, type ContractTest } from '../../kernel/testing.ts'
import type { ContentAdapter, SiteContent } from '../../plugins/content/adapter.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { sitePages } from '../../plugins/site/adapters/pages.ts'
import { temporaryFolder } from '../helpers/stack.ts'

/** A file in the natural shape for this content. */
function fileWith(t: Test, { pages, siteConfig }: SiteContent): string {
  const path = join(temporaryFolder(t), 'pages.json')
  writeFileSync(path, JSON.stringify(siteConfig ? { pages, siteConfig } : pages))
  return path
}

for (const writeOnPublish of [false, true]) {
  t.test(`a JSON file, writeOnPublish ${writeOnPublish}`, (t) =>
    contentAdapterContract(t, (t, content) => {
      const path = fileWith(t, content)
      const adapter = jsonFile(path, { writeOnPublish })
      t.equal(adapter.writeContent !== undefined, writeOnPublish)
      return { adapter, breakSource: () => writeFileSync(path, '[{"id":"p_home"') }
    }),
  )
}

t.test('a JSON file with invalid pages', (t) =>
  contentAdapterContract(t, (t, content) => {
    const path = fileWith(t, content)
    return {
      adapter: jsonFile(path),
      breakSource: () => writeFileSync(path, JSON.stringify([...content.pages, { slug: '/half' }])),
    }
  }),
)

t.test('the editor routes of a site', (t) =>
  contentAdapterContract(t, async (t, content) => {
    const path = fileWith(t, content)
    const editor = createSiteEditor({ adapter: jsonFile(path), logger: capturedLog('silent').log })
    const server = createServer((request, response) => void editor.node(request, response)).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    t.teardown(async () => {
      server.closeAllConnections()
      server.close()
      await editor.close()
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    return { adapter: sitePages(`http://127.0.0.1:${port}`), breakSource: () => writeFileSync(path, 'gone') }
  }),
)

t.test('a custom adapter, which writes without notes', (t) =>
  contentAdapterContract(t, (_, content) => {
    let stored = JSON.stringify(content)
    return {
      adapter: {
        readContent: async () => JSON.parse(stored),
        async writeContent({ pages, siteConfig = JSON.parse(stored).siteConfig }) {
          stored = JSON.stringify({ pages, siteConfig })
        },
      },
      breakSource: () => void (stored = 'gone'),
    }
  }),
)

/** Records failed tests without reporting them. */
class Counter implements ContractTest {
  readonly #name: string
  readonly failed: Set<string>

  constructor(failed = new Set<string>(), name = '') {
    this.failed = failed
    this.#name = name
  }

  test(name: string, body: (t: this) => Promise<void>): Promise<void> {
    return body(new Counter(this.failed, name) as this).catch(() => void this.failed.add(name))
  }

  equal(found: unknown, wanted: unknown): void {
    if (!isDeepStrictEqual(found, wanted)) this.failed.add(this.#name)
  }

  same(found: unknown, wanted: unknown): void {
    this.equal(found, wanted)
  }
}

t.test('the suite detects faulty adapters', async (t) => {
  const shared = (content: SiteContent) => ({ readContent: async () => content })
  const careless: Readonly<Record<string, (content: SiteContent) => ContentAdapter>> = {
    'readers do not disturb each other, whatever one does with what it got': shared,
    'a large site is read completely': ({ pages, ...content }) =>
      shared(structuredClone({ ...content, pages: pages.slice(0, 1000) })),
    'a source that says nothing about the site settings gives none, which is not empty ones': (content) =>
      shared({ siteConfig: {}, ...content }),
    'the complete content is read: every page in its order, with everything in it': ({ pages }) =>
      shared({ pages: pages.toReversed() }),
    'what is written replaces everything, and is read back; what is lost is reported': (content) => ({
      ...shared(content),
      writeContent: async () => ({ notes: [] }),
    }),
    'a source that cannot be read fails with a sentence, and never gives a part': shared,
  }
  for (const [name, adapter] of Object.entries(careless)) {
    const counter = new Counter()
    await contentAdapterContract(counter, (_, content) => ({
      adapter: adapter(content),
      breakSource: () => undefined,
    }))
    t.ok(counter.failed.has(name), name)
  }
})
