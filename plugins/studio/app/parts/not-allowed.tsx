import { commandFor, may, type Permission } from '../stores/access.ts'

/** Says which permission a panel needs, and how to get it; nothing if it is there. */
export const NotAllowed = ({ needs, to }: { readonly needs: Permission; readonly to: string }) =>
  may(needs) ? null : (
    <div class="not-allowed stack" role="note">
      <p>
        Your token does not allow you to {to}. It lacks <b>{needs}</b>.
      </p>
      <p>
        Ask for one: <code>{commandFor(needs)}</code>
      </p>
    </div>
  )
