import { Button } from '../parts/button.tsx'
import { isRevertible, nameOfSetting, wordsOfSetting, type SettingDiff } from '../stores/setting-diff.ts'
import { Difference } from './difference.tsx'
import { revertTitle, resetSetting } from './intents.ts'

export const siteCard = 'changes of the site'

/** What a publish would change of the header and the menu, which every page shows. */
export const SiteCard = ({ diffs }: { readonly diffs: readonly SettingDiff[] }) => (
  <section class="card" id={siteCard} tabIndex={-1}>
    <h2>Header and menu</h2>
    {diffs.map((each) => (
      <section key={each.path} class="block-diff">
        <h3>
          {nameOfSetting(each)}
          {isRevertible(each) && (
            <Button look="plain" needs="edit" title={revertTitle} onClick={() => void resetSetting(each)}>
              Revert this
            </Button>
          )}
        </h3>
        <Difference
          kind={each.kind}
          before={wordsOfSetting(each.before)}
          after={wordsOfSetting(each.after)}
        />
      </section>
    ))}
  </section>
)
