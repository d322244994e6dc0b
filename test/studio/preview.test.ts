import t from 'tap'
import { fitted } from '../../plugins/studio/app/preview/fitted.ts'
import { isLoopback, underSameName } from '../../plugins/studio/app/preview/loopback.ts'

t.test('a page keeps the width of its device, and is drawn as small as the room needs', async (t) => {
  const room = { width: 640, height: 600 }
  t.strictSame(fitted(room, 'desktop'), { width: 1280, height: 1200, factor: 0.5, left: 0 })
  t.strictSame(fitted(room, 'phone'), { width: 390, height: 600, factor: 1, left: 125 })
  const wide = { width: 1600, height: 900 }
  t.strictSame(fitted(wide, 'desktop'), { ...wide, factor: 1, left: 0 }, 'a desktop takes more where it is')
  t.strictSame(fitted(room, undefined), { ...room, factor: 1, left: 0 }, 'the room itself comes back')
  t.equal(fitted({ width: 0, height: 0 }, 'tablet').factor, 1, 'a hidden room has no factor')
})

t.test('a site on this machine is known by each of its names', async (t) => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.0.1', '[::1]'])
    t.equal(isLoopback(`http://${host}:3000`), true, host)
  for (const address of [
    'http://localhost.example',
    'https://127.example',
    'http://128.0.0.1',
    'x',
    undefined,
  ])
    t.equal(isLoopback(address), false, String(address))
  const studio = 'http://127.0.0.1:4200/studio?slug=/about'
  t.equal(underSameName(studio, 'http://localhost:3000'), 'http://localhost:4200/studio?slug=/about')
  for (const site of ['http://127.0.0.1:3000', 'https://site.example', undefined])
    t.equal(underSameName(studio, site), undefined, 'another name would not help')
})
