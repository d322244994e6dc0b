/**
 * The onboarding agent on real frameworks: it integrates websites, which are installed, built and started.
 * `npm run test:hosts`
 */
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { packPackage, run } from '../helpers/built-package.ts'
import { endOf, sitesAgent, writeSite } from '../helpers/sites-agent.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { inBrowser } from '../helpers/chromium.ts'
import { openPage } from './browser.ts'
import { enterDraft, secrets } from './start-site.ts'

const folder = temporaryFolder(t)
const pictures = join(tmpdir(), 'orchestrator-pages')
const { DRAFT_MODE_SECRET: draftSecret } = secrets

const { archive } = await packPackage(join(folder, 'package'))
await mkdir(pictures, { recursive: true })

/** The certificates and the registry of this machine. */
const registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '')
const { NODE_EXTRA_CA_CERTS } = process.env
const certificates = NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}

const versions = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' }

/** Typical websites without an editor. */
const websites = {
  next: {
    build: true,
    home: 'A shop of its own',
    files: {
      'package.json': JSON.stringify({
        name: 'shop',
        private: true,
        scripts: { dev: 'next dev', build: 'next build' },
        dependencies: versions,
        devDependencies: { '@types/node': '24.19.2', '@types/react': '19.3.0', typescript: '5.9.3' },
      }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          module: 'esnext',
          moduleResolution: 'bundler',
          jsx: 'preserve',
          lib: ['dom', 'esnext'],
          skipLibCheck: true,
          noEmit: true,
          esModuleInterop: true,
          plugins: [{ name: 'next' }],
        },
        include: ['**/*.ts', '**/*.tsx'],
        exclude: ['node_modules'],
      }),
      'next.config.ts': 'export default { turbopack: { root: import.meta.dirname } }\n',
      'app/layout.tsx':
        'import type { ReactNode } from \'react\'\nexport default function Layout({ children }: { children: ReactNode }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n',
      'app/page.tsx':
        "export const metadata = { title: 'Shop' }\nexport default function Page() {\n  return <h1>A shop of its own</h1>\n}\n",
    },
  },
  astro: {
    build: true,
    home: 'An Astro site of its own',
    files: {
      'package.json': JSON.stringify({
        name: 'astro-site',
        private: true,
        type: 'module',
        scripts: { dev: 'astro dev', build: 'astro build' },
        dependencies: { astro: '7.3.5' },
      }),
      'src/pages/index.astro':
        '<html lang="en"><head><title>Astro</title></head><body><h1>An Astro site of its own</h1></body></html>\n',
    },
  },
  plain: {
    build: false,
    home: undefined,
    files: { 'package.json': JSON.stringify({ name: 'plain', private: true, type: 'module' }) },
  },
} as const

for (const [siteId, { build, home, files }] of Object.entries(websites)) {
  t.test(siteId, async (t) => {
    const setting = await sitesAgent(t, {
      path: `${dirname(process.execPath)}:${process.env['PATH']}`,
      env: { DRAFT_MODE_SECRET: draftSecret, ...certificates },
      plugins: [['agents-onboarding', { packageSpec: `file:${archive}`, registry }]],
    })
    const site = writeSite(setting, { ...files }, siteId)
    const about = {
      slug: '/about',
      title: 'About',
      blocks: [{ type: 'RichText', props: { title: 'About this site', body: 'Brought by the agent.' } }],
    }
    setting.script(
      [
        ['analyze_codebase', { siteId }],
        ['integrate_site', { siteId, name: siteId, launch: false }],
        ...(build ? [['Bash', { siteId, command: 'npm run build' }] as const] : []),
        ['launch_site', { siteId, onSite: true }],
        ['bootstrap_pages', { siteId, pages: [about] }],
        ['integrate_site', { siteId, name: siteId }],
      ],
      { intent: 'integrate' },
    )
    const events = await setting.run({ message: `Integrate the repository ${siteId}`, mode: 'integrate' })
    const failures = events.filter((event) => event.type === 'tool_error')
    t.strictSame(failures, [], 'no tool failed')
    t.match(endOf(events), { type: 'final', result: { status: 'applied' } })
    t.equal(
      events.filter((event) => event.type === 'approval_required' && event.input.changes).length,
      2,
      'the integration and the pages were asked for, and a second integration had nothing to ask',
    )
    await look(t, siteId, await urlOf(setting.status), home)
    await t.test('a draft is not visible to visitors', async (t) => {
      const origin = await urlOf(setting.status)
      const ops = [
        {
          op: 'update_props',
          pageSlug: '/about',
          blockId: 'b_richtext_about_1',
          patch: { title: 'Only in the draft' },
        },
      ]
      t.match(await setting.post('/ops', { siteId, session: 'dev', ops }), { status: 200 })
      t.notMatch(await (await fetch(`${origin}/about`)).text(), /Only in the draft/)
      const cookie = await enterDraft(origin, '/about', `&siteId=${siteId}&session=dev`)
      t.match(await (await fetch(`${origin}/about`, { headers: { cookie } })).text(), /Only in the draft/)
    })
    t.match(await readFile(join(site, 'package.json'), 'utf8'), /content-orchestrator/)
  })
}

const urlOf = async (status: () => Promise<Readonly<Record<string, unknown>>>): Promise<string> =>
  Object((await status())['servers'])[0].url

/** Checks the editor routes and the pages, also in a browser. */
async function look(t: Test, siteId: string, origin: string, home: string | undefined): Promise<void> {
  const blocks = await (await fetch(`${origin}/api/editor/blocks?siteId=${siteId}`)).text()
  t.match(blocks, /"Hero"/, 'the manifest')
  const pages = await (await fetch(`${origin}/api/editor/pages?siteId=${siteId}`)).text()
  t.match(pages, /"\/about"/, 'the pages')
  t.match(await (await fetch(`${origin}/about`)).text(), /Brought by the agent/)
  if (home !== undefined)
    t.match(await (await fetch(origin)).text(), new RegExp(home), 'the home page of the site is preserved')
  await t.test('in a browser', inBrowser, async (t) => {
    const { page } = await openPage(t)
    await page.goto(
      `${origin}/api/editor/draft?secret=${draftSecret}&siteId=${siteId}&session=dev&redirect=/about`,
    )
    t.match(await page.textContent('main'), /About this site[^]*Brought by the agent/)
    await page.screenshot({ path: join(pictures, `sites-agent-${siteId}.png`) })
  })
}
