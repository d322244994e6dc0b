import t from 'tap'
import { inBrowser, openStudio } from './browser.ts'
import { serveReact } from './react-site.ts'
import { playRounds } from './rounds.ts'

t.test('no letter is lost on a site of React components', inBrowser, async (t) => {
  const { variables, register } = await serveReact(t)
  const studio = await openStudio(t, { variables })
  await register(studio.origin)
  await playRounds(t, 'react', studio)
})
