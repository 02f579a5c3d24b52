-- 25 queries over the Chinook database, one a paragraph; each has one answer, in one order.

SELECT COUNT(*) FROM Track;

SELECT ar.Name AS artist, al.Title AS album, t.Name AS track, g.Name AS genre
FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId JOIN Track t ON t.AlbumId = al.AlbumId
JOIN Genre g ON g.GenreId = t.GenreId
WHERE g.Name IN ('Jazz', 'Blues', 'Bossa Nova') ORDER BY t.TrackId;

SELECT c.Country, COUNT(*) AS customers, COUNT(c.Company) AS companies, MIN(c.LastName), MAX(c.LastName)
FROM Customer c GROUP BY c.Country HAVING COUNT(*) > 1 ORDER BY customers DESC, c.Country;

SELECT g.Name, COUNT(il.InvoiceLineId) AS sold, SUM(il.UnitPrice * il.Quantity) AS revenue, AVG(t.Milliseconds)
FROM InvoiceLine il JOIN Track t ON t.TrackId = il.TrackId JOIN Genre g ON g.GenreId = t.GenreId
JOIN Invoice i ON i.InvoiceId = il.InvoiceId
GROUP BY g.GenreId, g.Name ORDER BY revenue DESC, g.Name;

SELECT Name FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album) ORDER BY Name;

SELECT a.Name FROM Artist a WHERE EXISTS (SELECT 1 FROM Album b WHERE b.ArtistId = a.ArtistId
GROUP BY b.ArtistId HAVING COUNT(*) >= 10) ORDER BY a.ArtistId;

SELECT t.Name, t.Milliseconds FROM Track t
WHERE t.Milliseconds > (SELECT AVG(Milliseconds) * 8 FROM Track) ORDER BY t.Milliseconds DESC, t.TrackId LIMIT 20;

SELECT t.GenreId, t.TrackId, t.Name FROM Track t
WHERE t.Bytes = (SELECT MAX(u.Bytes) FROM Track u WHERE u.GenreId = t.GenreId) AND t.GenreId > 7
ORDER BY t.GenreId, t.TrackId;

SELECT YEAR(InvoiceDate) AS y, MONTH(InvoiceDate) AS m, COUNT(*), SUM(Total), ROUND(AVG(Total), 3)
FROM Invoice GROUP BY y, m ORDER BY y, m;

SELECT CONCAT(e.FirstName, ' ', e.LastName) AS employee, CONCAT_WS(' ', m.FirstName, m.LastName) AS manager,
DATE_FORMAT(e.HireDate, '%Y/%m/%d'), TIMESTAMPDIFF(YEAR, e.BirthDate, e.HireDate)
FROM Employee e LEFT JOIN Employee m ON m.EmployeeId = e.ReportsTo ORDER BY e.EmployeeId;

SELECT e.LastName, COUNT(DISTINCT c.CustomerId) AS customers, COUNT(i.InvoiceId) AS invoices, SUM(i.Total) AS total
FROM Employee e LEFT JOIN Customer c ON c.SupportRepId = e.EmployeeId LEFT JOIN Invoice i ON i.CustomerId = c.CustomerId
GROUP BY e.EmployeeId, e.LastName ORDER BY e.EmployeeId;

SELECT p.Name, COUNT(pt.TrackId) AS tracks, SEC_TO_TIME(SUM(t.Milliseconds) DIV 1000) AS length
FROM Playlist p LEFT JOIN PlaylistTrack pt ON pt.PlaylistId = p.PlaylistId LEFT JOIN Track t ON t.TrackId = pt.TrackId
GROUP BY p.PlaylistId, p.Name ORDER BY p.PlaylistId;

SELECT x.Country, x.total, x.CustomerId FROM
(SELECT c.Country, c.CustomerId, SUM(i.Total) AS total FROM Customer c JOIN Invoice i ON i.CustomerId = c.CustomerId
 GROUP BY c.CustomerId, c.Country) x
WHERE x.total > 40 ORDER BY x.total DESC, x.CustomerId;

SELECT DISTINCT Composer FROM Track WHERE Composer LIKE '%Ulrich%' ORDER BY Composer;

SELECT Name, LENGTH(Name), CHAR_LENGTH(Name), UPPER(Name), HEX(LEFT(Name, 6)) FROM Track
WHERE LENGTH(Name) <> CHAR_LENGTH(Name) ORDER BY TrackId LIMIT 100;

SELECT Title FROM Album WHERE Title LIKE '%acustico%' OR Title LIKE 'AX_ BAHIA%' ORDER BY AlbumId;

SELECT BillingCountry, BillingState, SUM(Total) FROM Invoice WHERE BillingState IS NOT NULL
GROUP BY BillingCountry, BillingState ORDER BY BillingCountry, BillingState;

SELECT IFNULL(Company, '-') AS company, COALESCE(Fax, Phone, 'none') AS reach, NULLIF(Country, 'USA') AS abroad,
CASE WHEN Country IN ('USA', 'Canada') THEN 'North America' WHEN Country = 'Brazil' THEN 'South America' ELSE 'else' END
FROM Customer ORDER BY CustomerId;

SELECT mt.Name, g.Name, COUNT(*) FROM MediaType mt CROSS JOIN Genre g
LEFT JOIN Track t ON t.MediaTypeId = mt.MediaTypeId AND t.GenreId = g.GenreId
GROUP BY mt.MediaTypeId, mt.Name, g.GenreId, g.Name ORDER BY mt.MediaTypeId, g.GenreId;

SELECT 'customer' AS kind, City FROM Customer WHERE Country = 'Germany'
UNION SELECT 'invoice', BillingCity FROM Invoice WHERE BillingCountry = 'Germany' ORDER BY kind, City;

SELECT a.Title, COUNT(*) AS tracks, SUM(t.UnitPrice), MIN(t.Name), MAX(t.Milliseconds) / 1000
FROM Album a JOIN Track t USING (AlbumId) GROUP BY a.AlbumId, a.Title HAVING tracks > 20 ORDER BY tracks DESC, a.Title;

SELECT i.InvoiceId, i.InvoiceDate, i.Total,
(SELECT SUM(il.UnitPrice * il.Quantity) FROM InvoiceLine il WHERE il.InvoiceId = i.InvoiceId) AS lines_total
FROM Invoice i WHERE i.InvoiceDate BETWEEN '2010-01-01' AND '2010-03-31' OR i.Total >= 20 ORDER BY i.InvoiceId;

SELECT c.FirstName, c.LastName, GROUP_CONCAT(DISTINCT g.Name ORDER BY g.Name SEPARATOR '; ') AS genres
FROM Customer c JOIN Invoice i ON i.CustomerId = c.CustomerId JOIN InvoiceLine il ON il.InvoiceId = i.InvoiceId
JOIN Track t ON t.TrackId = il.TrackId JOIN Genre g ON g.GenreId = t.GenreId
GROUP BY c.CustomerId, c.FirstName, c.LastName ORDER BY c.CustomerId;

SELECT UnitPrice, COUNT(*), STDDEV(Milliseconds), SUM(Bytes), BIT_OR(GenreId) FROM Track GROUP BY UnitPrice ORDER BY UnitPrice;

SELECT t.TrackId, t.Name, ROUND(t.Milliseconds / 60000, 2) AS minutes, t.Bytes % 1000, MD5(t.Name) FROM Track t
WHERE t.AlbumId IN (SELECT AlbumId FROM Album WHERE ArtistId = (SELECT ArtistId FROM Artist WHERE Name = 'Iron Maiden'))
ORDER BY minutes DESC, t.TrackId LIMIT 10 OFFSET 5;
