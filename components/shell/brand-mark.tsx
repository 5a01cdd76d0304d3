import Link from 'next/link';

export function BrandMark() {
  return (
    <Link className="brandmark" href="/">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M2 16 6.5 9.5 10.5 12 16.5 4.5" />
        <circle cx="16.5" cy="4.5" r="2.6" />
      </svg>
      <span className="lb">Hone</span>
    </Link>
  );
}
