import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { allRoutes, exampleFor, isStream } from './bodies.ts'
import { isAnswered, json, startService, type HostileAnswer, type HostileRequest } from './service.ts'

const canary = 'canary of a file that must not be served'
const service = await startService(t, { demo: true })
/** Images of the demo site and of the service, each next to a secret file. */
for (const folder of [join(service.dataDir, 'demo-site'), service.dataDir]) {
  const images = join(folder, 'generated-images')
  mkdirSync(images, { recursive: true })
  writeFileSync(join(images, 'ok.png'), 'an image')
  writeFileSync(join(images, 'notes.txt'), canary)
  for (const secret of ['secret.png', 'secret']) writeFileSync(join(folder, secret), canary)
  symlinkSync(join(folder, 'secret.png'), join(images, 'link.png'))
  mkdirSync(join(images, 'folder.png'))
}

const Sites = v.object({ sites: v.array(v.object({ previewUrl: v.string() })) })
const {
  sites: [site],
} = v.parse(Sites, JSON.parse((await service.send({ path: '/sites' })).text))
const sitePort = Number(new URL(site?.previewUrl ?? '').port)

const ups =
  '.. %2e%2e .%2e %2E. %252e%252e ..; ..%00 %ef%bc%8e%ef%bc%8e %c0%ae%c0%ae %u002e%u002e ....'.split(' ')
const separators = '/ %2f %2F %5c \\ %252f // /./ %c0%af %ef%bc%8f %e2%88%95'.split(' ')
const secrets = ['secret.png', 'secret', 'content.json', '..%2forchestrator.db']
const odd =
  'link.png folder.png notes.txt notes.txt%00.png ok.png%00 ok.png%20 ok.png. ok.png::$DATA OK.PNG%2f .png - con ' +
  '%e2%80%aeok.png ok%2epng%2f.. ok.png%0d%0aset-cookie:a=b file:%2f%2f%2fetc%2fpasswd %2fetc%2fpasswd ~ * ok.p* ' +
  '%7b%7d ok.pngx ok.svg%2f..%2fok.png'
const names = [...odd.split(' '), '', `${'a'.repeat(161)}.png`, `${'a'.repeat(5000)}.png`]
const escapes = ups.flatMap((up) =>
  separators.flatMap((separator) =>
    secrets.flatMap((secret) => [
      `/generated-images/${up}${separator}${secret}`,
      `/generated-images/${up}${separator}${secret}%00.png`,
      `/generated-images/ok.png${separator}${up}${separator}${up}${separator}${secret}`,
      `/${up}${separator}${secret}`,
    ]),
  ),
)

/** Requests many paths at once, and returns the answers that are not refusals. */
async function answered(
  paths: Iterable<string>,
  more: Partial<HostileRequest> = {},
): Promise<readonly (HostileAnswer & { readonly path: string })[]> {
  const answers = [...new Set(paths)].map(async (path) => ({
    ...(await service.send({ path, ...more })),
    path,
  }))
  return (await Promise.all(answers)).filter(({ status, text, headers }) => {
    const isRefused = status === 400 || status === 404
    return !isRefused || /canary|SQLite format/.test(text) || headers['set-cookie'] !== undefined
  })
}

t.test('no spelling of a path escapes the image folder', async (t) => {
  t.ok(escapes.length > 1500, `${escapes.length} paths`)
  for (const port of [sitePort, service.port]) {
    const there = await service.send({ path: '/generated-images/ok.png', port })
    t.strictSame([there.status, there.headers['content-type'], there.text], [200, 'image/png', 'an image'])
    const odd = names.map((name) => `/generated-images/${name}`)
    t.strictSame(await answered([...escapes, ...odd], { port }), [])
  }
})

t.test('the service itself serves no file, by any path', async (t) => {
  const below = escapes.map((path) => path.replace('/generated-images', '/docs'))
  const files = '/orchestrator.db /.env /package.json /config/cli/bin.ts /docs/../../package.json'.split(' ')
  t.strictSame(await answered([...escapes, ...below, ...files]), [])
})

const evil =
  '../../canary|..\\..\\canary|/tmp/canary|canary/../../../canary|%2e%2e%2fcanary|file:///tmp/canary|~/canary|' +
  'canary\u0000|con|.|..'

t.test('no name sent by a client becomes part of a file path', async (t) => {
  // Creates the image folder; the files of chat are next to it.
  await service.send({ path: '/readyz' })
  for (const name of ['chat-telemetry.ndjson', 'chat-feedback.ndjson'])
    appendFileSync(join(service.dataDir, name), '')
  // Generated images have names chosen by the service; the onboarding agent makes its own folders.
  const isMade = (name: string): boolean =>
    /^(?:generated-images\/gen_\d+_[0-9a-f]{32}\.png|sites(?:\/\.sites-agent(?:\/(?:log\.jsonl|applying|empty|processes))?)?)$/.test(
      name,
    )
  const files = () => [
    readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !isMade(name))
      .toSorted(),
    readdirSync(dirname(service.dataDir)).filter((name) => name.startsWith('canary')),
  ]
  const before = files()
  for (const { method, path } of allRoutes.filter((route) => !isStream(route)).map(({ spec }) => spec)) {
    const example = exampleFor(method, path)
    for (const name of evil.split('|')) {
      const fields = ['session', 'siteId', 'slug', 'commit', 'key', 'origin', 'siteOrigin']
      const named = Object.fromEntries(fields.map((field) => [field, name]))
      const plain = { method, path: `${path}?${new URLSearchParams(named)}` }
      const { status } = await service.send(example ? json(path, { ...example, ...named }, method) : plain)
      t.ok(isAnswered(status), `${method} ${path} with ${JSON.stringify(name)}`)
    }
  }
  t.strictSame(files(), before)
})
