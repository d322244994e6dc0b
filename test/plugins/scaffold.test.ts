import t from 'tap'
import { join } from 'node:path'
import {
  cmsNames,
  frameworkOf,
  frameworks,
  planFiles,
  readProject,
  skeleton,
} from '../../plugins/agents/scaffold/port.ts'

const marks = /[«»]|\{\{[#^/>]?\w+\}\}/
const now = new Date('2026-01-01T12:00:00.000Z')

t.test('no file of a website has marks of its template, in any framework, language and CMS', async (t) => {
  const languages = {
    js: { 'package.json': '{}' },
    ts: {
      'package.json': '{}',
      'tsconfig.json': '{}',
      'next.config.ts': 'export default {\n  cacheComponents: true,\n}\n',
    },
    bare: { 'index.html': '<p>Hello</p>' },
  }
  const folder = t.testdir(languages)
  for (const language of Object.keys(languages)) {
    const project = await readProject(`${folder}/${language}`, { mayBeBare: true })
    for (const framework of [...frameworks, frameworkOf({ ...project, isBare: true })]) {
      for (const cms of [undefined, ...cmsNames]) {
        const files = await planFiles({ project, framework, siteId: 'acme', now, cms, blocks: true })
        const marked = files.filter(({ text }) => marks.test(text))
        t.strictSame(
          marked.map(({ path }) => path),
          [],
          `${language} ${framework.name} ${cms}`,
        )
        t.notMatch(framework.steps(project, files).join('\n'), marks)
      }
    }
  }
})

t.test('the home page of a static website stays, and another website gets one', async (t) => {
  const folder = t.testdir({
    static: { 'index.html': '<p>Hello</p>' },
    empty: {},
    node: { 'package.json': '{}' },
  })
  for (const [name, pages] of [
    ['static', []],
    ['empty', ['/']],
    ['node', ['/']],
  ] as const) {
    const project = await readProject(join(folder, name), { mayBeBare: true })
    const files = await planFiles({ project, framework: frameworkOf(project), siteId: 'acme', now })
    const content = JSON.parse(files.find(({ path }) => path === 'content/pages.json')?.text ?? '{}')
    t.strictSame(
      content.pages.map(({ slug }: { readonly slug: string }) => slug),
      pages,
      name,
    )
  }
})

t.test('the name of a new website is escaped where it lands, and is no template itself', (t) => {
  const name = `A <b> "q" {{siteId}} «x» \u2028`
  const files = new Map(
    skeleton({ siteId: 'acme', name, packageSpec: '^1', port: 3500 }).map(({ path, text }) => [path, text]),
  )
  t.match(files.get('app/layout.tsx'), 'title: "A \\u003cb> \\"q\\" {{siteId}} «x» \\u2028"')
  t.match(files.get('public/logo.svg'), '>A &lt;b&gt; ')
  t.match(JSON.parse(files.get('content/pages.json') ?? ''), { siteConfig: { name } })
  t.match(JSON.parse(files.get('package.json') ?? ''), {
    name: 'acme',
    dependencies: { 'content-orchestrator': '^1' },
  })
  t.match(JSON.parse(files.get('tsconfig.json') ?? ''), { compilerOptions: { strict: true } })
  t.end()
})
