import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { calling, saying } from '../../helpers/model-server.ts'
import {
  agreeing,
  askedIn,
  deciding,
  endOf,
  errorsOf,
  sitesAgent,
  writeProgram,
  writeSite,
  type SitesAgentSetup,
} from '../../helpers/sites-agent.ts'

/** A site that exists before the run. */
const manifest = '{"scripts":{"dev":"node server.js"}}'
const writeShop = (setting: SitesAgentSetup): string =>
  writeSite(setting, { 'package.json': manifest, 'page.html': 'the old page', '.env': 'KEY=old' }, 'shop')
const creation = { message: 'Make a website', mode: 'create' }
const create = ['create_site', { name: 'Shop' }] as const
const applied = { type: 'final', result: { status: 'applied', sitesCreated: ['shop'] } }

t.test('an existing site is replaced after approval, and its files are kept', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeShop(setting)
  setting.script([create], { intent: 'create' })
  const declined = await setting.run(creation, () => 'No')
  t.match(errorsOf(declined), [/already has a folder 'shop'/])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'the old page')
  t.notOk(existsSync(join(setting.workspace, '.sites-agent/backups')))

  setting.script([create, create], { intent: 'create' })
  const events = await setting.run(creation, agreeing)
  t.match(endOf(events), applied)
  t.match(errorsOf(events), [/already has a folder 'shop'/], 'a run does not replace its own site')
  const replacing = /^The workspace already has a site 'shop'\. Replace it/
  t.equal(askedIn(events).filter((question) => replacing.test(question)).length, 1)
  t.notOk(existsSync(join(site, 'page.html')))
  const backups = join(setting.workspace, '.sites-agent/backups/shop')
  const [backup = ''] = readdirSync(backups)
  t.match(backup, /^\d{4}-\d\d-\d\dT[\d-]+Z$/)
  const kept = ['page.html', '.env'].map((path) => readFileSync(join(backups, backup, path), 'utf8'))
  t.strictSame(kept, ['the old page', 'KEY=old'])
})

t.test('the server of a replaced site ends, and no copy of it is applied to the new one', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeShop(setting)
  setting.script([['launch_site', { siteId: 'shop' }]])
  await setting.run({ message: 'Start the site', mode: 'integrate' })
  setting.model.script(
    deciding('create'),
    calling([['delegate', { helper: 'block-coder', task: 'Change the page' }]]),
    calling([['Write', { siteId: 'shop', path: 'page.html', content: 'changed' }]]),
    saying('Changed.'),
    calling([create]),
    saying('Done.'),
  )
  t.match(endOf(await setting.run(creation)), applied)
  t.notOk(existsSync(join(site, 'page.html')))
  t.match(readFileSync(join(site, 'npm.log'), 'utf8'), /run dev/, 'the new site has its own server')
})

/** The first server finds its port taken by another process. */
const racingNpm = `#!/usr/bin/env node
const { existsSync, writeFileSync } = require('node:fs')
const raced = process.env.PATH.split(':')[0] + '/raced'
const listen = () => require('node:http').createServer((_, response) => response.end('a site')).listen(Number(process.env.PORT), '127.0.0.1')
if (process.argv[3] === 'dev') {
  if (!existsSync(raced)) {
    writeFileSync(raced, process.env.PORT)
    listen()
  }
  listen()
}
`

t.test('a server that loses its port at startup takes another one', async (t) => {
  const setting = await sitesAgent(t)
  writeShop(setting)
  const programs = join(setting.workspace, '../programs')
  writeProgram(join(programs, 'npm'), racingNpm)
  setting.script([['launch_site', { siteId: 'shop' }]])
  t.strictSame(errorsOf(await setting.run({ message: 'Start the site', mode: 'integrate' })), [])
  const { url } = Object((await setting.status())['servers'])[0]
  t.not(url, `http://localhost:${readFileSync(join(programs, 'raced'), 'utf8')}`)
  t.equal(await (await fetch(url)).text(), 'a site')
})

t.test('a new site has its own block types, and pages may use those that a helper wrote', async (t) => {
  const setting = await sitesAgent(t)
  const propsSchema = { type: 'object', properties: { amount: { type: 'string' } }, required: ['amount'] }
  const types = { version: 1, blocks: [{ type: 'Price', propsSchema }] }
  const blocks = [
    { type: 'Price', props: { amount: '3 €' } },
    { type: 'Price', props: { amount: 3 } },
    { type: 'None', props: {} },
    { type: 'RichText', props: { title: 'Bread', body: 'Rye' } },
  ]
  const pages = ['bootstrap_pages', { siteId: 'shop', pages: [{ slug: '/', blocks }] }] as const
  setting.model.script(
    deciding('create'),
    calling([create]),
    calling([pages]),
    calling([['delegate', { helper: 'block-coder', task: 'Write a block for prices' }]]),
    calling([['Write', { siteId: 'shop', path: 'blocks.json', content: JSON.stringify(types) }]]),
    saying('Written.'),
    calling([pages]),
    saying('Done.'),
  )
  t.match(endOf(await setting.run(creation)), applied)
  const read = (path: string) => readFileSync(join(setting.workspace, 'shop', path), 'utf8')
  const kept = [blocks[0], blocks[3]]
  t.match(JSON.parse(read('content/pages.json')).pages[0].blocks, kept)
  const unknown =
    /unknown block type; available types: Hero, [^]*unknown block type; available types: Price\\/
  t.match(setting.model.seen.at(-1)?.raw, unknown)
  t.match(read('blocks/register.tsx'), /export const blocks = defineBlocks\(\{\n {2}\.\.\.builtinBlocks/)
  for (const [path, uses] of [
    ['app/[[...slug]]/page.tsx', /from '..\/..\/blocks\/register'[^]*livePreviewScript\(shown\), blocks \}/],
    ['app/api/editor/[...path]/route.ts', /from '..\/..\/..\/..\/blocks\/register'[^]*\n {2}blocks,\n/],
  ] as const)
    t.match(read(path), uses, path)
})
