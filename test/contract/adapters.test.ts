import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createSiteEditor } from '../../config/site.ts'
import { contentAdapterContract } from '../../config/testing.ts'
import { capturedLog } from '../../kernel/testing.ts'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { sitePages } from '../../plugins/site/adapters/pages.ts'
import { withChanges } from '../helpers/changing-adapter.ts'
import { serve } from '../helpers/raw.ts'
import { temporaryFolder } from '../helpers/stack.ts'

/** A file in the natural shape for this content. */
function fileWith(t: Test, { pages, siteConfig, redirects }: SiteContent): string {
  const path = join(temporaryFolder(t), 'pages.json')
  writeFileSync(path, JSON.stringify(siteConfig ? { pages, siteConfig, redirects } : pages))
  if (redirects && !siteConfig)
    writeFileSync(join(dirname(path), 'redirects.json'), JSON.stringify(redirects))
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

t.test('an adapter that says what has changed', (t) =>
  contentAdapterContract(t, (t, content) => {
    const path = fileWith(t, content)
    const { adapter } = withChanges(jsonFile(path, { writeOnPublish: true }))
    return { adapter, breakSource: () => writeFileSync(path, '[{"id":"p_home"') }
  }),
)

t.test('the editor routes of a site', (t) =>
  contentAdapterContract(t, async (t, content) => {
    const path = fileWith(t, content)
    const editor = createSiteEditor({ adapter: jsonFile(path), logger: capturedLog('silent').log })
    const origin = await serve(t, (request, response) => void editor.node(request, response))
    t.teardown(() => editor.close())
    return { adapter: sitePages(origin), breakSource: () => writeFileSync(path, 'gone') }
  }),
)

t.test('a custom adapter, which writes without notes', (t) =>
  contentAdapterContract(t, (_, content) => {
    let stored = JSON.stringify(content)
    return {
      adapter: {
        readContent: async () => JSON.parse(stored),
        async writeContent({ pages, siteConfig, redirects }) {
          const before = JSON.parse(stored)
          stored = JSON.stringify({
            pages,
            siteConfig: siteConfig ?? before.siteConfig,
            redirects: redirects ?? before.redirects,
          })
        },
      },
      breakSource: () => void (stored = 'gone'),
    }
  }),
)
