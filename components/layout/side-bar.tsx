import { BrandMark } from './brand-mark.tsx';
import { JumpButton, KeysButton, NewButton } from './command-center.tsx';
import { CurrentUser } from './current-user.tsx';
import { NavLinks } from './nav-links.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** Left sidebar. Icons only below 1024 px, hidden below 760 px. */
export function SideBar() {
  return (
    <aside
      className="sticky top-0 flex h-screen flex-col gap-1 border-line border-r bg-bg p-3 rail:px-2 max-narrow:hidden print:hidden"
      aria-label="Navigation"
    >
      <BrandMark />
      <JumpButton />
      <NewButton />
      <NavLinks label="Main" className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1" />
      <div className="flex flex-col gap-1">
        <KeysButton />
        <div className="flex rail:flex-col items-center gap-2 border-line border-t p-2 pb-0 rail:px-0 text-ink-2 text-sm">
          <CurrentUser />
          <ThemeSwitch className="rail:m-0 ml-auto" size="smallIcon" />
        </div>
      </div>
    </aside>
  );
}
