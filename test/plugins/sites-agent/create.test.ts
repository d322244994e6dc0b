import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { calling, saying } from '../../helpers/model-server.ts'
import { agreeing, endOf, sitesAgent, type Setting, type Told } from '../../helpers/sites-agent.ts'

const errors = (told: readonly Told[]) => told.flatMap((event) => (event.type === 'tool_error' ? [event.error] : []))

/** A site that is there before the run. */
function writeShop({ workspace }: Pick<Setting, 'workspace'>): string {
  const site = join(workspace, 'shop')
  mkdirSync(site)
  for (const [name, text] of Object.entries({ 'package.json': '{"scripts":{"dev":"node server.js"}}', 'page.html': 'the old page', '.env': 'KEY=old' })) writeFileSync(join(site, name), text)
  return site
}

t.test('a new site has block types of its own, which its routes and pages know', async (t) => {
  const setting = await sitesAgent(t)
  setting.script([['create_site', { name: 'Shop' }]], { intent: 'create' })
  await setting.run({ message: 'Make a website', mode: 'create' })
  const read = (path: string) => readFileSync(join(setting.workspace, 'shop', path), 'utf8')
  t.match(read('blocks/register.tsx'), /export const blocks = defineBlocks\(\{\n {2}\.\.\.builtinBlocks/)
  t.match(read('app/[[...slug]]/page.tsx'), /import \{ blocks \} from '..\/..\/blocks\/register'[^]*livePreviewScript\(shown\), blocks \}/)
  t.match(read('app/api/editor/[...path]/route.ts'), /import \{ blocks \} from '..\/..\/..\/..\/blocks\/register'[^]*\n {2}blocks,\n/)
})

t.test('a site that is there is replaced once a person agrees, and its files are kept', async (t) => {
  const setting = await sitesAgent(t)
  const site = writeShop(setting)
  const create = ['create_site', { name: 'Shop' }] as const
  setting.script([create], { intent: 'create' })
  const declined = await setting.run({ message: 'Make a website', mode: 'create' }, () => 'No')
  t.match(errors(declined), [/has a folder 'shop' already/])
  t.equal(readFileSync(join(site, 'page.html'), 'utf8'), 'the old page')
  t.notOk(existsSync(join(setting.workspace, '.sites-agent/backups')))

  const asked: string[] = []
  setting.script([create, create], { intent: 'create' })
  const told = await setting.run({ message: 'Make a website', mode: 'create' }, (event) => {
    asked.push(event.input.questions[0]?.question ?? '')
    return agreeing(event)
  })
  t.match(endOf(told), { type: 'final', result: { status: 'applied', sitesCreated: ['shop'] } })
  t.match(errors(told), [/has a folder 'shop' already/], 'what a run made itself it does not replace')
  t.equal(asked.filter((question) => question.startsWith("The workspace has a site 'shop' already. Replace it")).length, 1)
  t.notOk(existsSync(join(site, 'page.html')))
  const backups = join(setting.workspace, '.sites-agent/backups/shop')
  const [backup = ''] = readdirSync(backups)
  t.match(backup, /^\d{4}-\d\d-\d\dT[\d-]+Z$/)
  t.equal(readFileSync(join(backups, backup, 'page.html'), 'utf8'), 'the old page')
  t.equal(readFileSync(join(backups, backup, '.env'), 'utf8'), 'KEY=old')
})

t.test('a server of the old site ends, and a copy of it is not applied to the new one', async (t) => {
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
  const told = await setting.run({ message: 'Make a website', mode: 'create' })
  t.match(endOf(told), { type: 'final', result: { status: 'applied', sitesCreated: ['shop'] } })
  t.notOk(existsSync(join(workspace, 'shop/page.html')))
  t.match(readFileSync(join(workspace, 'shop/npm.log'), 'utf8'), /run dev/, 'the new site has a server of its own')
})
