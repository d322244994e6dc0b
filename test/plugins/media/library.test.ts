import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { blobs } from '../../../plugins/blobs/port.ts'
import { scopedTokens } from '../../../plugins/auth/port.ts'
import { media } from '../../../plugins/media/port.ts'
import { files, png, upload as uploadOf } from '../../helpers/media-files.ts'
import { startStack, type Stack } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'

const Listed = v.object({
  images: v.array(v.looseObject({ name: v.string(), url: v.string(), fileName: v.string() })),
  next: v.optional(v.string()),
})
const env = { MEDIA_UPLOADS_PER_MIN: '0' }

const list = async ({ ask }: Stack, search = '', headers = {}) =>
  v.parse(Listed, (await ask({ url: `/media/uploads?${search}`, headers })).json())
const upload = async ({ ask }: Stack, fileName: string, headers = {}) => {
  const request = uploadOf('/image/upload', { field: 'image', fileName, type: 'image/png', bytes: png(3, 2) })
  const answer = await ask({ ...request, headers: { ...request.headers, ...headers } })
  t.equal(answer.status, 200, answer.text)
  return v.parse(v.object({ url: v.string(), fileName: v.string() }), answer.json())
}
const namesOf = ({ images }: v.InferOutput<typeof Listed>): readonly string[] =>
  images.map(({ name }) => name)

t.test('stored images are listed with what is known of them, newest first, in pages', async (t) => {
  const stack = await startStack(t, { env })
  t.strictSame(await list(stack), { images: [] })
  for (const name of ['harbor.png', 'Boat.png', 'boathouse.png']) await upload(stack, name)
  const pictures = await stack.get(media)
  await pictures.keep(files.webp, { prefix: 'gen', name: 'A red boat', signal: new AbortController().signal })
  const attached = { type: 'application/pdf', bytes: files.pdf, fileName: 'boat.pdf' }
  await stack.ask(uploadOf('/attachment/upload', attached))

  const all = await list(stack)
  t.strictSame(namesOf(all), ['A red boat', 'boathouse.png', 'Boat.png', 'harbor.png'], 'without the PDF')
  t.match(all.images[0], { origin: 'generated', mimeType: 'image/webp', width: 40, height: 30 })
  t.match(all.images[3], { origin: 'uploaded', mimeType: 'image/png', width: 3, height: 2, at: /^\d{4}-/ })
  const first = await list(stack, 'limit=3')
  t.strictSame(namesOf(first), ['A red boat', 'boathouse.png', 'Boat.png'])
  t.strictSame(namesOf(await list(stack, `limit=3&after=${first.next}`)), ['harbor.png'])
  t.strictSame(namesOf(await list(stack, 'q=BOAT')), ['A red boat', 'boathouse.png', 'Boat.png'])
  t.strictSame(namesOf(await list(stack, 'q=kayak')), [])
  const shown = await stack.ask({ url: new URL(all.images[3]?.url ?? '').pathname })
  t.equal(shown.status, 200)

  await (await stack.get(blobs)).remove(all.images[0]?.fileName ?? '')
  t.strictSame(namesOf(await list(stack)), ['boathouse.png', 'Boat.png', 'harbor.png'], 'without a lost file')
})

t.test('a token of one site lists what its tokens uploaded; a reader lists, others do not', async (t) => {
  const stack = await startStack(t, {
    env: { ...env, ORCHESTRATOR_ACCESS_TOKEN: 'a-long-enough-access-token', ORCHESTRATOR_GATE: 'all' },
  })
  const tokens = await stack.get(scopedTokens)
  const bearing = async (site?: string, can: 'edit' | 'plan' = 'edit') => {
    const permissions = can === 'edit' ? (['read', 'edit'] as const) : (['plan'] as const)
    const { text } = await tokens.create({
      name: 'editor',
      can: [...permissions],
      ...(site !== undefined && { site }),
    })
    return { authorization: `Bearer ${text}` }
  }
  const [ours, theirs, everyone] = [await bearing('shop'), await bearing('club'), await bearing()]
  await upload(stack, 'ours.png', ours)
  await upload(stack, 'theirs.png', theirs)
  await upload(stack, 'shared.png', everyone)
  t.strictSame(namesOf(await list(stack, '', ours)), ['ours.png'])
  t.strictSame(namesOf(await list(stack, '', theirs)), ['theirs.png'])
  t.strictSame(namesOf(await list(stack, '', everyone)), ['shared.png', 'theirs.png', 'ours.png'])
  const planner = await stack.ask({ url: '/media/uploads', headers: await bearing('shop', 'plan') })
  t.match([planner.status, planner.json()], [403, { code: 'token_not_allowed' }])
  t.match((await stack.ask({ url: '/media/uploads' })).status, 401)
})

t.test('a file that is swept leaves the list, and the list keeps no file', async (t) => {
  const stack = await startStack(t, { env: { ...env, MEDIA_RETENTION_DAYS: '1' } })
  const { fileName } = await upload(stack, 'old.png')
  const then = Date.now() / 1000 - 2 * 86_400
  await utimes(join(stack.dataDir, 'generated-images', fileName), then, then)
  await upload(stack, 'young.png')
  await stack.restart()
  await until(async () => namesOf(await list(stack)).length === 1, 'the end of the sweep')
  t.strictSame(namesOf(await list(stack)), ['young.png'])
})
