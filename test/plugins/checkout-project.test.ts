import { join } from 'node:path'
import t from 'tap'
import { findProject } from '../../plugins/checkout/port.ts'
import { put } from '../helpers/checkouts.ts'
import { temporaryFolder } from '../helpers/stack.ts'

interface Given {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Finds the project of a folder with these files, in which its packages are installed. */
function found(t: TestOf, given: Given, files: readonly string[] = []) {
  const folder = temporaryFolder(t)
  put(join(folder, 'package.json'), JSON.stringify(given))
  for (const name of Object.keys(given.dependencies ?? {})) put(join(folder, 'node_modules', name, 'x'), '')
  for (const file of files) put(join(folder, file), '')
  return findProject(folder)
}
type TestOf = Parameters<typeof temporaryFolder>[0]

const commands: readonly (readonly [
  given: Given,
  files: readonly string[],
  framework: string | undefined,
  command: string,
])[] = [
  [
    { scripts: { dev: 'astro dev' }, dependencies: { astro: '7' } },
    [],
    'astro',
    'npm run dev -- --port {port}',
  ],
  [
    {
      scripts: { build: 'docusaurus build', serve: 'docusaurus serve', start: 'docusaurus start' },
      dependencies: { '@docusaurus/core': '3' },
    },
    ['yarn.lock'],
    'docusaurus',
    'yarn run start --port {port} --no-open',
  ],
  [
    { scripts: { 'docs:dev': 'vitepress dev docs' }, dependencies: { vitepress: '1', vite: '6' } },
    ['pnpm-lock.yaml'],
    'vitepress',
    'pnpm run docs:dev --port {port}',
  ],
  [
    { scripts: { start: 'eleventy --serve --quiet' }, dependencies: { '@11ty/eleventy': '3' } },
    [],
    'eleventy',
    'npm run start -- --port={port}',
  ],
  [{ dependencies: { '@11ty/eleventy': '3' } }, [], 'eleventy', 'eleventy --serve --port={port}'],
  [
    { scripts: { dev: 'tailwindcss -w & vite dev' }, dependencies: { '@sveltejs/kit': '2', vite: '6' } },
    ['bun.lock'],
    'sveltekit',
    'bun run dev --port {port}',
  ],
  [
    { scripts: { dev: 'concurrently "astro dev" "tailwindcss -w"' }, dependencies: { astro: '7' } },
    [],
    'astro',
    'npm run dev',
  ],
  [{ scripts: { dev: 'node server.js' } }, [], undefined, 'npm run dev'],
  [
    { scripts: { dev: 'eleventy --serve --port=8090 --quiet' }, dependencies: { '@11ty/eleventy': '3' } },
    [],
    'eleventy',
    'eleventy --serve --port={port} --quiet',
  ],
  [
    { scripts: { predev: 'node icons.js', dev: 'next dev -p 3001' }, dependencies: { next: '16' } },
    ['pnpm-lock.yaml'],
    'next',
    'pnpm run predev && next dev -p {port}',
  ],
  [
    { scripts: { dev: 'cross-env PORT=3000 node server.js' } },
    [],
    undefined,
    'cross-env PORT={port} node server.js',
  ],
  [
    { scripts: { dev: 'node api.js --port 4000 & vite --port 5000' }, dependencies: { vite: '6' } },
    [],
    'vite',
    'node api.js --port 4000 & vite --port {port}',
  ],
  [
    { scripts: { dev: 'vite & node api.js --port 4000' }, dependencies: { vite: '6' } },
    [],
    'vite',
    'npm run dev',
  ],
  [{ scripts: { dev: 'node a.js -p 4000 & node b.js -p 5000' } }, [], undefined, 'npm run dev'],
  [
    { scripts: { dev: 'eleventy --serve --port=${PORT:-8080}' }, dependencies: { '@11ty/eleventy': '3' } },
    [],
    'eleventy',
    'eleventy --serve --port={port}',
  ],
  [
    { scripts: { start: 'node server.js', 'x; rm -rf': 'next dev' }, dependencies: { next: '16' } },
    [],
    'next',
    'npm run start',
  ],
]

t.test('the command is that of the project, with its own runner and the port of its framework', async (t) => {
  for (const [given, files, framework, command] of commands)
    t.match(await found(t, given, files), { framework, command, missing: undefined }, JSON.stringify(given))
})

t.test('another command may be named, also for a folder without packages', async (t) => {
  const folder = temporaryFolder(t)
  t.match(await findProject(folder, { command: 'serve -p {p}' }), {
    command: 'serve -p {port}',
    missing: undefined,
  })
  put(join(folder, 'hugo.toml'), '')
  t.match(await findProject(folder), {
    framework: 'hugo',
    command: 'hugo server --port {port}',
    missing: undefined,
  })
})

t.test('a website of HTML alone is served as its files are', async (t) => {
  const folder = temporaryFolder(t)
  put(join(folder, 'index.html'), '<h1>Boats</h1>')
  const command = 'npx --yes http-server@14 . -a 127.0.0.1 -c-1 -p {port}'
  t.match(await findProject(folder), { framework: 'html', command, missing: undefined })
  put(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node server.js' } }))
  t.match(await findProject(folder), { command: 'npm run start' }, 'a server of its own comes first')
})

t.test('what is missing is a sentence with the command that helps', async (t) => {
  const bare = await findProject(temporaryFolder(t))
  t.match(bare.missing, /has no package\.json: .*--command "hugo server -p \{port\}"/)
  t.match(
    (await found(t, { scripts: { build: 'make' } })).missing,
    /no script that starts a development server/,
  )
  const folder = temporaryFolder(t)
  put(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { dev: 'astro dev' }, dependencies: { astro: '7' } }),
  )
  put(join(folder, 'pnpm-lock.yaml'), '')
  t.match((await findProject(folder)).missing, /not installed: run `pnpm install` there/)
})
