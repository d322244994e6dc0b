import t from 'tap'
import { filesOf, hosts } from '../../plugins/agents/scaffold/port.ts'
import { folderWith, orchestrator } from '../config/helpers.ts'
import { blocksOf } from '../helpers/readme-blocks.ts'

const manifest = (dependencies: Readonly<Record<string, string>>) => ({
  'package.json': JSON.stringify({ name: '@acme/My Shop', type: 'module', dependencies }),
})
const init = (
  t: Parameters<typeof folderWith>[0],
  found: Readonly<Record<string, string>>,
  args: string[] = [],
) => orchestrator(folderWith(t, manifest(found)), ['init', '--yes', ...args])

t.test('a framework without generated files is named, with the lines that connect it', async (t) => {
  const documented = await blocksOf('plugins/site/README.md', 'js')
  for (const host of hosts.filter(({ template }) => template !== undefined)) {
    const { code, out, err } = await init(t, { vite: '8', [host.dependency]: '1' })
    t.match([code, out], [1, ''], host.name)
    t.match(
      err,
      `This is a website with ${host.name}: package.json has ${host.dependency}. Nothing was written`,
    )
    for (const [path, text] of Object.entries(filesOf(host, 'my-shop'))) t.match(err, `${path}\n\n${text}`)
    for (const [path, text] of Object.entries(filesOf(host, 'acme')))
      t.ok(documented.includes(`// ${path}\n${text}`), `the README has ${path} for ${host.name}`)
  }
})

t.test('Astro needs a server adapter in its configuration, not only among its packages', async (t) => {
  const packages = manifest({ astro: '7', '@astrojs/node': '11' })
  for (const [config, isNamed] of [
    ['export default {}', true],
    ['export default { adapter: node() }', false],
  ] as const) {
    const folder = folderWith(t, { ...packages, 'astro.config.mjs': config })
    const { out } = await orchestrator(folder, ['init', '--yes'])
    t.equal(/adapter to Astro, without which its build fails: npx astro add node/.test(out), isNamed)
  }
})

t.test('a framework with generated files, and a chosen one, come first', async (t) => {
  for (const [found, args, head] of [
    [{ astro: '7', vite: '8', '@astrojs/node': '11' }, [], 'A website with astro'],
    [{ express: '5', vite: '8' }, [], 'A website with express'],
    [{ express: '5', '@11ty/eleventy': '3' }, [], 'A website with express'],
    [{ '@sveltejs/kit': '3' }, ['--framework', 'node'], 'A website with node'],
  ] as const) {
    const { code, out } = await init(t, found, [...args])
    t.equal(code, 0)
    t.match(out, head)
  }
})

t.test('a website that is taken for one of plain Node for want of a known framework says so', async (t) => {
  for (const [found, args, isSaid] of [
    [{ '@remix-run/node': '2' }, [], true],
    [{ '@11ty/eleventy': '3' }, ['--framework', 'node'], false],
    [{}, [], false],
    [{ '@remix-run/node': '2' }, ['--framework', 'node'], false],
    [{ express: '5' }, [], false],
  ] as const) {
    const { code, out } = await init(t, found, [...args])
    t.equal(code, 0)
    t.equal(/package.json has no framework that init knows/.test(out), isSaid, JSON.stringify(found))
  }
})
