import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { systemClock } from '../../kernel/index.ts'
import { createScopedTokens } from '../../plugins/auth/testing.ts'
import { openSqlite } from '../helpers/sqlite.ts'
import { folderWith, inHouse, orchestrator, smallConfig, type Circumstances } from './helpers.ts'

/** An installation whose service has run. */
function installation(t: Test, config = smallConfig()) {
  const folder = folderWith(t, { 'orchestrator.config.json': config })
  void openSqlite(t, join(folder, '.orchestrator/orchestrator.db')).close()
  const token = (words: readonly string[], more: Circumstances = {}) =>
    orchestrator(folder, ['token', ...words], more)
  return { folder, token }
}

const Made = v.object({ id: v.string(), token: v.string(), file: v.string() })

t.test('a token is created, listed and revoked, and its text is printed once', async (t) => {
  const { token } = installation(t)
  const words = 'create --site demo --can edit,read --expires 30d --name'.split(' ')
  const made = await token([...words, 'CI robot'])
  t.match(made, {
    code: 0,
    out: /^cot_[0-9a-f]{12}_[\w-]{43}\n$/,
    err: /Shown this once\. It allows read, edit on the site 'demo', until \d{4}-.*orchestrator\.db\.\nRevoke it with: .* token revoke [0-9a-f]{12}\n/,
  })
  const [, id = '', secret = ''] = /^cot_(\w{12})_(.*)\n$/.exec(made.out) ?? []
  const listed = await token(['list'])
  const row = `${id}  CI robot  valid  demo  read,edit  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\dZ  never\n`
  const out = new RegExp(`^ID +NAME +STATE +SITE +CAN +EXPIRES +LAST USED\n${row}$`)
  t.match(listed, { code: 0, out, err: '' })
  t.match(await token(['revoke', id]), { code: 0, out: `Revoked ${id} (CI robot).\n` })
  t.match(await token(['revoke', id, '--json']), { code: 0, out: new RegExp(`"id": "${id}"[^]*"revoked": `) })
  const shown = await token(['list', '--json'])
  t.match(JSON.parse(shown.out), [{ id, state: 'revoked', can: ['read', 'edit'] }])
  for (const { out } of [listed, shown]) t.notOk(out.includes(secret))
})

t.test('no command creates a database', async (t) => {
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig() })
  const err =
    /^the database .*\.db does not exist; start the service once, or name its folder with --data-dir\n$/
  for (const words of ['create', 'list', 'revoke 000000000000', 'create --data-dir typo'])
    t.match(await orchestrator(folder, ['token', ...words.split(' ')]), { code: 1, out: '', err })
  t.strictSame(readdirSync(folder), ['orchestrator.config.json'])
})

t.test('by default a token may read every site for ninety days', async (t) => {
  const { folder, token } = installation(t)
  const made = await token(['create', '--json'])
  const { id, token: text, file } = v.parse(Made, JSON.parse(made.out))
  t.equal(made.err, '')
  const store = openSqlite(t, file)
  const tokens = createScopedTokens({ store, clock: systemClock })
  const found = await tokens.find(text)
  t.match(found, { id, name: 'unnamed', can: ['read'], site: undefined })
  t.ok(Math.abs(Date.parse(found?.expires ?? '') - Date.now() - 90 * 86_400_000) < 60_000)
  const { err } = await token(['create', '--expires', 'never'])
  t.match(err, /on every site, until it is revoked/)
  await tokens.create({ name: 'old', can: ['read'], expires: new Date(0).toISOString() })
  const { out } = await token(['list', '--data-dir', join(folder, '.orchestrator')])
  t.match(out, /old +expired[^]*unnamed +valid +every +read +never/)
})

t.test('invalid arguments are refused with the expected ones, and no token is created', async (t) => {
  const { token } = installation(t)
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /'token' needs a subcommand: token create, token list, token revoke/],
    [['creat'], /'token' needs a subcommand/],
    [
      ['create', '--can', 'raed'],
      /no permission 'raed'; did you mean 'read'\?; expected a comma list of read, edit, plan/,
    ],
    [['create', '--can', ''], /no permission ''/],
    [['create', '--site', 'My Site'], /expects the id of a site/],
    [['create', '--site', ''], /expects the id of a site/],
    [['create', '--site', 'default'], /not 'default'/],
    [['create', '--site', 'a'.repeat(65)], /1 to 64/],
    [['create', '--name', ' '], /1 to 60 characters/],
    [['create', '--name', 'a\u001b[2J'], /1 to 60 characters/],
    [['create', '--name', 'a'.repeat(61)], /1 to 60 characters/],
    ...['30', '0d', '-1d', '1.5h', '3651d', '5y', 'soon', ''].map(
      (text) => [['create', `--expires=${text}`], /expects a duration such as 90m, 12h, 30d or 4w/] as const,
    ),
    [['create', 'more'], /unexpected argument 'more'/],
    [['revoke'], /needs an argument/],
  ]
  for (const [words, err] of wrong) t.match(await token(words), { code: 2, out: '', err }, words.join(' '))
  t.match((await token(['list'])).out, /^There are no scoped tokens\./)
  const pasted = `cot_000000000000_${'s'.repeat(43)}`
  const unknown = await token(['revoke', pasted])
  t.match(unknown, { code: 1, out: '', err: /no token has this id in .*; list them with/ })
  t.notMatch(unknown.err, 'sss')
})

t.test('a database that cannot be opened is an error with its remedy', async (t) => {
  const without = 'scope blobs bus outbound sites draft draft-ops store'.split(' ')
  const memory = { plugins: [['store', { file: ':memory:' }]] }
  const elsewhere = { without, plugins: [inHouse('kept-elsewhere.ts')] }
  for (const [config, err] of [
    [memory, /keeps everything in memory; name a database file in ORCHESTRATOR_DB_FILE/],
    [elsewhere, /stores the content; this command works on the built-in store only/],
  ] as const)
    t.match(await installation(t, smallConfig(config)).token(['list']), { code: 1, err })
  const { folder, token } = installation(t)
  t.match(await token(['list'], { env: { ORCHESTRATOR_DB_FILE: folder } }), { code: 1, err: /is a folder/ })
})
