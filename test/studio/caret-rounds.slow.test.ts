import t from 'tap'
import { inBrowser, openStudio } from './browser.ts'
import { playRounds } from './rounds.ts'

t.test('no letter is lost on a site of HTML', inBrowser, async (t) => {
  await playRounds(t, 'demo', await openStudio(t))
})
