import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { allRoutes, exampleFor } from './bodies.ts'
import { json, startService } from './service.ts'

const canary = 'canary of a file that nobody may read'
const service = await startService(t, { demo: true })
const folder = join(service.dataDir, 'demo-site')
const images = join(folder, 'generated-images')
mkdirSync(images, { recursive: true })
writeFileSync(join(images, 'ok.png'), 'an image')
writeFileSync(join(images, 'notes.txt'), canary)
for (const secret of ['secret.png', 'secret']) writeFileSync(join(folder, secret), canary)
symlinkSync(join(folder, 'secret.png'), join(images, 'link.png'))
mkdirSync(join(images, 'folder.png'))

const Sites = v.object({ sites: v.array(v.object({ previewUrl: v.string() })) })
const [site] = v.parse(Sites, JSON.parse((await service.send({ path: '/sites' })).text)).sites
const sitePort = Number(new URL(site?.previewUrl ?? '').port)

const ups = ['..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '..;', '..%00', '%ef%bc%8e%ef%bc%8e', '%c0%ae%c0%ae', '%u002e%u002e', '....', '. .']
const separators = ['/', '%2f', '%2F', '%5c', '\\', '%252f', '//', '/./', '%c0%af', '%ef%bc%8f', '%e2%88%95']
const secrets = ['secret.png', 'secret', 'content.json', '..%2forchestrator.db']
const spellings = ups.flatMap((up) => separators.flatMap((separator) => secrets.flatMap((secret) => [
  `/generated-images/${up}${separator}${secret}`, `/generated-images/${up}${separator}${secret}%00.png`, `/generated-images/ok.png${separator}${up}${separator}${up}${separator}${secret}`, `/${up}${separator}${secret}`,
])))
const names = [
  'link.png', 'folder.png', 'notes.txt', 'notes.txt%00.png', 'ok.png%00', 'ok.png%20', 'ok.png.', 'ok.png::$DATA', 'OK.PNG%2f', `${'a'.repeat(161)}.png`, `${'a'.repeat(5000)}.png`, '%e2%80%aeok.png', 'ok%2epng%2f..',
  '.png', '-', '', 'con', 'ok.png%0d%0aset-cookie:a=b', 'file:%2f%2f%2fetc%2fpasswd', '%2fetc%2fpasswd', '~', '*', 'ok.p*', '%7b%7d', 'ok.pngx', 'ok.svg%2f..%2fok.png',
]

t.test('no spelling of a path leads out of the folder of images', async (t) => {
  const get = (path: string) => service.send({ path, port: sitePort })
  const image = await get('/generated-images/ok.png')
  t.strictSame([image.status, image.headers['content-type'], image.text], [200, 'image/png', 'an image'], 'what is there can be had')
  const paths = [...new Set([...spellings, ...names.map((name) => `/generated-images/${name}`)])].filter((path) => !path.includes(' '))
  t.ok(paths.length > 1500, `${paths.length} paths`)
  const answers = await Promise.all(paths.map(async (path) => ({ path, answer: await get(path) })))
  t.strictSame(answers.filter(({ answer }) => ![400, 404].includes(answer.status)).map(({ path, answer }) => [path, answer.status]), [])
  t.strictSame(answers.filter(({ answer }) => answer.text.includes('canary') || answer.text.includes('SQLite format')).map(({ path }) => path), [])
  t.strictSame(answers.filter(({ answer }) => answer.headers['set-cookie'] !== undefined).map(({ path }) => path), [])
})

t.test('the service itself serves no file, by whatever path', async (t) => {
  const paths = [...new Set([...spellings, ...spellings.map((path) => path.replace('/generated-images', '/docs')), '/generated-images/ok.png', '/orchestrator.db', '/.env', '/package.json', '/config/cli.ts', '/docs/../../package.json'])].filter((path) => !path.includes(' '))
  const answers = await Promise.all(paths.map(async (path) => ({ path, answer: await service.send({ path }) })))
  t.strictSame(answers.filter(({ answer }) => ![400, 404].includes(answer.status)).map(({ path, answer }) => [path, answer.status]), [])
})

const filesIn = (place: string): readonly string[] => readdirSync(place, { recursive: true, encoding: 'utf8' }).toSorted()

t.test('no name that a client sends becomes part of a path', async (t) => {
  // Makes the folder of images, if nothing has yet.
  await service.send({ path: '/readyz' })
  const before = [filesIn(service.dataDir), readdirSync(dirname(service.dataDir)).filter((name) => name.startsWith('canary'))]
  const evil = ['../../canary', '..\\..\\canary', '/tmp/canary', 'canary/../../../canary', '%2e%2e%2fcanary', 'file:///tmp/canary', '~/canary', 'canary\u0000', 'con', '.', '..']
  for (const { spec: { method, path } } of allRoutes.filter(({ spec }) => spec.path !== '/events')) {
    const example = exampleFor(method, path)
    for (const name of evil) {
      const names = { session: name, siteId: name, slug: name, commit: name, key: name, origin: name, siteOrigin: name }
      const { status } = await service.send(example ? json(path, { ...example, ...names }, method) : { method, path: `${path}?${new URLSearchParams(names)}` })
      if (status >= 500) t.fail(`${method} ${path} with ${JSON.stringify(name)} answers ${status}`)
    }
  }
  t.strictSame([filesIn(service.dataDir), readdirSync(dirname(service.dataDir)).filter((name) => name.startsWith('canary'))], before)
})
