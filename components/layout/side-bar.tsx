import { BrandMark } from './brand-mark.tsx';
import { JumpButton, KeysButton } from './command-buttons.tsx';
import { NavLinks } from './nav-links.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { Who } from './who.tsx';

/** The bar at the left; a rail of icons below 1360 px, gone below 760 px. */
export function SideBar() {
  return (
    <aside
      className="sticky top-0 flex h-screen flex-col gap-1 border-line border-r bg-bg p-3 rail:px-2 max-narrow:hidden print:hidden"
      aria-label="Navigation"
    >
      <BrandMark />
      <JumpButton />
      <NavLinks label="Main" part="main" />
      <div className="mt-auto flex flex-col gap-1">
        <NavLinks label="More" part="more" />
        <KeysButton />
        <div className="mt-2 flex rail:flex-col items-center gap-2 border-line border-t p-2 rail:px-0 text-ink-2 text-sm">
          <Who />
          <ThemeSwitch className="rail:m-0 ml-auto" size="smallIcon" />
        </div>
      </div>
    </aside>
  );
}
