import { AddBlock } from '../edit/add-block.tsx'
import { MoveTo } from '../edit/move-to.tsx'
import { StepChoice } from '../history/step-choice.tsx'
import { PickImage } from '../media/index.tsx'
import { Pages } from '../pages/pages.tsx'
import { Preview } from '../preview/frame.tsx'
import { Placing } from '../preview/placing.tsx'
import { Removal } from '../preview/removal.tsx'
import { SiteList } from '../sites/sites.tsx'
import { page, slug } from '../stores/draft.ts'
import { isToChoose } from '../stores/site.ts'
import { panels, view } from '../stores/ui.ts'
import { Bar } from './bar.tsx'
import { Help } from './help.tsx'
import { Sidebar } from './sidebar.tsx'
import { UnsavedTexts } from './unsaved-texts.tsx'
import { Palette } from './palette.tsx'
import { Password } from './password.tsx'
import { Rail } from './rail.tsx'
import { Side } from './side.tsx'
import { Toasts } from './toasts.tsx'
import { views } from './views.ts'

/** The studio. The page in the frame stays loaded while another view is shown. */
export function Shell() {
  if (isToChoose.value) return <Choosing />
  const isEdit = view.value === 'edit'
  const { View } = views.find(({ name }) => name === view.value) ?? {}
  return (
    <div class="shell" data-left={panels.left.value} data-right={panels.right.value}>
      <Bar />
      <UnsavedTexts />
      <Rail />
      <Sidebar hidden={!isEdit} />
      <main class="centre" hidden={!isEdit}>
        <h1 class="unseen">{page.value?.title ?? slug.value}</h1>
        <Preview />
      </main>
      <Side hidden={!isEdit} />
      {View && (
        <main class="whole">
          <View />
        </main>
      )}
      <AddBlock />
      <MoveTo />
      <Pages />
      <PickImage />
      <Palette />
      <StepChoice />
      <Removal />
      <Placing />
      <Help />
      <Toasts />
      <Password />
    </div>
  )
}

/** The studio before a website is chosen. */
const Choosing = () => (
  <main class="choosing">
    <SiteList />
    <Toasts />
    <Password />
  </main>
)
