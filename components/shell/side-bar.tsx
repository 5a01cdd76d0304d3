import { Who } from '#components/team/who.tsx';
import { BrandMark } from './brand-mark.tsx';
import { JumpButton, KeysButton } from './command-buttons.tsx';
import { NavLinks } from './nav-links.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The bar at the left; a rail of icons below 1360 px, gone below 760 px. */
export function SideBar() {
  return (
    <aside className="side" aria-label="Navigation">
      <BrandMark />
      <JumpButton />
      <NavLinks label="Main" part="main" />
      <div className="foot">
        <NavLinks label="More" part="more" />
        <KeysButton />
        <div className="who">
          <Who />
          <ThemeSwitch className="end" size="smallIcon" />
        </div>
      </div>
    </aside>
  );
}
