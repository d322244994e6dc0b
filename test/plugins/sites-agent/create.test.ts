import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { calling, saying } from '../../helpers/model-server.ts'
import {
  agreeing,
  endOf,
  sitesAgent,
  writeProgram,
  type Setting,
  type StreamEvent,
} from '../../helpers/sites-agent.ts'

const errors = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'tool_error' ? [event.error] : []))

/** A site that exists before the run. */
function writeShop({ workspace }: Pick<Setting, 'workspace'>): string {
  const site = join(workspace, 'shop')
  mkdirSync(site)
  for (const [name, text] of Object.entries({
    'package.json': '{"scripts":{"dev":"node server.js"}}',
    'page.html': 'the old page',
    '.env': 'KEY=old',
  }))
    writeFileSync(join(site, name), text)
  return site
}

t.test('a new site has its own block types, known to its routes and pages', async (t) => {
  const setting = await sitesAgent(t)
  setting.script([['create_site', { name: 'Shop' }]], { intent: 'create' })
  await setting.run({ message: 'Make a website', mode: 'create' })
  const read = (path: string) => readFileSync(join(setting.workspace, 'shop', path), 'utf8')
  t.match(read('blocks/register.tsx'), /export const blocks = defineBlocks\(\{\n {2}\.\.\.builtinBlocks/)
  t.match(
    read('app/[[...slug]]/page.tsx'),
    /import \{ blocks \} from '..\/..\/blocks\/register'[^]*livePreviewScript\(shown\), blocks \}/,
  )
  t.match(
    read('app/api/editor/[...path]/route.ts'),
    /import \{ blocks \} from '..\/..\/..\/..\/blocks\/register'[^]*\n {2}blocks,\n/,
  )
})

t.test('an existing site is replaced after approval, and its files are kept', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeShop(setting)
  const create = ['create_site', { name: 'Shop' }] as const
  setting.script([create], { intent: 'create' })
  const declined = await setting.run({ message: 'Make a website', mode: 'create' }, () => 'No')
  t.match(errors(declined), [/already has a folder 'shop'/])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'the old page')
  t.notOk(existsSync(join(setting.workspace, '.sites-agent/backups')))

  const asked: string[] = []
  setting.script([create, create], { intent: 'create' })
  const events = await setting.run({ message: 'Make a website', mode: 'create' }, (event) => {
    asked.push(event.input.questions[0]?.question ?? '')
    return agreeing(event)
  })
  t.match(endOf(events), { type: 'final', result: { status: 'applied', sitesCreated: ['shop'] } })
  t.match(errors(events), [/already has a folder 'shop'/], 'a run does not replace its own site')
  t.equal(
    asked.filter((question) => question.startsWith("The workspace already has a site 'shop'. Replace it"))
      .length,
    1,
  )
  t.notOk(existsSync(join(site, 'page.html')))
  const backups = join(setting.workspace, '.sites-agent/backups/shop')
  const [backup = ''] = readdirSync(backups)
  t.match(backup, /^\d{4}-\d\d-\d\dT[\d-]+Z$/)
  t.equal(readFileSync(join(backups, backup, 'page.html'), 'utf8'), 'the old page')
  t.equal(readFileSync(join(backups, backup, '.env'), 'utf8'), 'KEY=old')
})

t.test(
  'the server of a replaced site ends, and a copy of the old site is not applied to the new one',
  async (t) => {
    const setting = await sitesAgent(t)
    const { model, workspace } = setting
    writeShop(setting)
    setting.script([['launch_site', { siteId: 'shop' }]], { intent: 'integrate' })
    await setting.run({ message: 'Start the site', mode: 'integrate' })
    model.script(
      calling([['decide', { intent: 'create' }]]),
      calling([['delegate', { helper: 'block-coder', task: 'Change the page' }]]),
      calling([['Write', { siteId: 'shop', path: 'page.html', content: 'changed' }]]),
      saying('Changed.'),
      calling([['create_site', { name: 'Shop' }]]),
      saying('Done.'),
    )
    const events = await setting.run({ message: 'Make a website', mode: 'create' })
    t.match(endOf(events), { type: 'final', result: { status: 'applied', sitesCreated: ['shop'] } })
    t.notOk(existsSync(join(workspace, 'shop/page.html')))
    t.match(
      readFileSync(join(workspace, 'shop/npm.log'), 'utf8'),
      /run dev/,
      'the new site has its own server',
    )
  },
)

/** The first server finds its port taken by another process. */
const racingNpm = `#!/usr/bin/env node
const { existsSync, mkdirSync, writeFileSync } = require('node:fs')
const [command, script] = process.argv.slice(2)
const raced = process.env.PATH.split(':')[0] + '/raced'
const listen = () => require('node:http').createServer((_, response) => response.end('a site')).listen(Number(process.env.PORT), '127.0.0.1')
if (command === 'install') mkdirSync('node_modules', { recursive: true })
if (script === 'dev') {
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
  setting.script([['launch_site', { siteId: 'shop' }]], { intent: 'integrate' })
  const events = await setting.run({ message: 'Start the site', mode: 'integrate' })
  t.strictSame(errors(events), [])
  const { servers } = await setting.status()
  const [server] = Array.isArray(servers) ? servers : []
  t.not(server.url, `http://localhost:${readFileSync(join(programs, 'raced'), 'utf8')}`)
  t.equal(await (await fetch(server.url)).text(), 'a site')
})

t.test('pages may use the block types that a helper wrote', async (t) => {
  const setting = await sitesAgent(t)
  const types = {
    version: 1,
    blocks: [
      {
        type: 'Price',
        propsSchema: { type: 'object', properties: { amount: { type: 'string' } }, required: ['amount'] },
      },
    ],
  }
  const blocks = [
    { type: 'Price', props: { amount: '3 €' } },
    { type: 'Price', props: { amount: 3 } },
    { type: 'None', props: {} },
    { type: 'RichText', props: { title: 'Bread', body: 'Rye' } },
  ]
  const pages = ['bootstrap_pages', { siteId: 'shop', pages: [{ slug: '/', blocks }] }] as const
  setting.model.script(
    calling([['decide', { intent: 'create' }]]),
    calling([['create_site', { name: 'Shop' }]]),
    calling([pages]),
    calling([['delegate', { helper: 'block-coder', task: 'Write a block for prices' }]]),
    calling([['Write', { siteId: 'shop', path: 'blocks.json', content: JSON.stringify(types) }]]),
    saying('Written.'),
    calling([pages]),
    saying('Done.'),
  )
  t.match(endOf(await setting.run({ message: 'Make a website', mode: 'create' })), {
    type: 'final',
    result: { status: 'applied' },
  })
  const content = JSON.parse(readFileSync(join(setting.workspace, 'shop/content/pages.json'), 'utf8'))
  t.strictSame(
    content.pages[0].blocks.map(({ type, props }: { type: string; props: object }) => [type, props]),
    [
      ['Price', { amount: '3 €' }],
      ['RichText', { title: 'Bread', body: 'Rye' }],
    ],
  )
  t.match(
    setting.model.seen.at(-1)?.raw,
    /unknown block type; available types: Hero, [^]*unknown block type; available types: Price\\/,
  )
})
